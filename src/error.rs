//! What can be wrong with an input.

use core::fmt;

/// Why an input was refused. Inputs are counted from 0; the first one at fault is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The number of inputs is not supported.
    InputCount {
        /// How many were given.
        given: usize,
        /// The fewest that are supported.
        min: usize,
        /// The most that are supported.
        max: usize,
    },
    /// An input is not 32 bytes long.
    InputLength {
        /// Which input.
        index: usize,
        /// Its length in bytes.
        given: usize,
    },
    /// The integer of an input's bytes is not below the field's modulus. It is never reduced.
    NotBelowModulus {
        /// Which input.
        index: usize,
    },
    /// The integer of the domain tag's bytes is not below the field's modulus.
    DomainTagNotBelowModulus,
    /// The number of rows of round constants is not the number of rounds, `full_rounds + partial_rounds`.
    RoundConstantCount {
        /// How many rows were given.
        given: usize,
        /// How many rounds there are, or `usize::MAX` if more than that.
        rounds: usize,
    },
    /// The number of full rounds is odd: half of them go before the partial rounds and half after.
    OddFullRounds {
        /// How many full rounds were asked for.
        given: usize,
    },
    /// A batch has another number of outputs than of inputs.
    BatchLength {
        /// How many inputs were given.
        inputs: usize,
        /// For how many outputs there is room.
        outputs: usize,
    },
    /// The width is 0: there is no lane to permute.
    ZeroWidth,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputCount { given, min, max } => {
                let plural = if *given == 1 { " was" } else { "s were" };
                write!(f, "{given} input{plural} given, ")?;
                if min == max {
                    write!(f, "{min} are needed")
                } else {
                    write!(f, "{min} to {max} are supported")
                }
            }
            Self::InputLength { index, given } => write!(f, "input {index} is {given} bytes long, not 32"),
            Self::NotBelowModulus { index } => write!(f, "input {index} is not below the field's modulus"),
            Self::DomainTagNotBelowModulus => f.write_str("the domain tag is not below the field's modulus"),
            Self::RoundConstantCount { given, rounds } => {
                write!(f, "{given} rows of round constants were given for {rounds} rounds")
            }
            Self::OddFullRounds { given } => write!(f, "{given} full rounds were asked for, not an even number"),
            Self::BatchLength { inputs, outputs } => write!(f, "{inputs} inputs were given for {outputs} outputs"),
            Self::ZeroWidth => f.write_str("the width is 0"),
        }
    }
}

impl Error {
    /// The number that solana-poseidon's `PoseidonSyscallError` has for the same: 3 for a number of inputs, 4 for an empty input and 5 for
    /// another wrong length, 7 for what is not below the modulus, and 12, its `Unexpected`, for what that crate cannot meet.
    ///
    /// ```
    /// use const_poseidon::{hash_bytes_be, Error};
    ///
    /// assert_eq!(hash_bytes_be(&[&[0xff; 32]]).map_err(Error::solana_code), Err(7));
    /// assert_eq!(hash_bytes_be(&[&[1, 2]]).map_err(Error::solana_code), Err(5));
    /// ```
    #[must_use]
    pub const fn solana_code(self) -> u64 {
        match self {
            Self::InputCount { .. } => 3,
            Self::InputLength { given: 0, .. } => 4,
            Self::InputLength { .. } => 5,
            Self::NotBelowModulus { .. } | Self::DomainTagNotBelowModulus => 7,
            Self::RoundConstantCount { .. }
            | Self::OddFullRounds { .. }
            | Self::BatchLength { .. }
            | Self::ZeroWidth => 12,
        }
    }
}

impl core::error::Error for Error {}
