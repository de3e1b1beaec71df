//! Poseidon2: the permutation, jellyfish's duplex sponge and hashes, two-to-one compression, and Noir's hash.
//!
//! Upstream is EspressoSystems/jellyfish at b1581c26f with arkworks-rs/spongefish at 3ded547. Later spongefish differs: its default sponge
//! permutes before a first squeeze, and it has no `ratchet`.

mod hash;
mod instances;
mod noir;
mod permutation;
mod sponge;

use core::marker::PhantomData;

pub use hash::{compress, FixedLenHash, VariableLenHash};
pub(crate) use instances::sealed;
pub use instances::Instance;
pub use noir::noir_hash;
pub use sponge::Sponge;

/// Poseidon2's fields: [`Fr`](crate::Fr), and with feature `bls12-381` `bls12_381::Fr`. Sealed; what it inherits is not public API.
///
/// arkworks' elements are none: convert them (`Fr::from(x)`, and back with `.into()`). Code that is generic over both fields asks for
/// `F: Instance<3> + Default + From<u64>` and the like: [`Element`](crate::field::Element) has them.
pub trait Field: sealed_field::Field {}

pub(crate) mod sealed_field {
    pub trait Field: Copy + PartialEq {
        const ZERO: Self;
        const ONE: Self;
        fn from_bytes_be_mod_order(bytes: &[u8; 32]) -> Self;
    }
}

impl<M: crate::field::Modulus> sealed_field::Field for crate::field::Element<M> {
    const ZERO: Self = Self::ZERO;
    const ONE: Self = Self::ONE;
    fn from_bytes_be_mod_order(bytes: &[u8; 32]) -> Self {
        Self::from_bytes_be_mod_order(bytes)
    }
}

impl<M: crate::field::Modulus> Field for crate::field::Element<M> {}

/// Poseidon2 of width `T` over the field `F` (ePrint 2023/323): the S-box x^5, 8 external rounds, and 56 internal ones (57 from t = 8 on).
///
/// The parameters are those that HorizenLabs' `poseidon2_rust_params.sage` has made since June 2023 (commit bb476b9), and so those of zkhash 0.2,
/// taceo-poseidon2, EspressoSystems' jellyfish (BN254 at t = 3, BLS12-381 at 2 and 3), Noir and Aztec (BN254, t = 4) and Stellar. HorizenLabs'
/// earlier set, which some libraries still have (nim-poseidon2 by default), and gnark-crypto's, which draws its constants otherwise, give other
/// digests. Round constants and diagonals are derived at build time from the Grain LFSR.
///
/// The type is zero-sized and there is nothing to construct. No function allocates or panics, and the time of none depends on a field element.
///
/// ```
/// use const_poseidon::{Fr, Poseidon2};
///
/// let mut state = [0, 1, 2].map(Fr::from_u64);
/// Poseidon2::<Fr, 3>::permute(&mut state);
/// assert_eq!(format!("{:?}", state[0]), "0x0bb61d24daca55eebcb1929a82650f328134334da98ea4f847f760054f4a3033");
/// ```
///
/// Other widths do not compile:
/// ```compile_fail,E0277
/// # use const_poseidon::{Fr, Poseidon2};
/// Poseidon2::<Fr, 5>::permute(&mut [Fr::ZERO; 5]); // no parameters at width 5
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Poseidon2<F: Instance<T>, const T: usize>(PhantomData<F>);

impl<F: Instance<T>, const T: usize> Poseidon2<F, T> {
    /// The number of external rounds, half of them before the internal rounds and half after.
    pub const EXTERNAL_ROUNDS: usize = 8;

    /// The number of internal rounds.
    pub const INTERNAL_ROUNDS: usize = F::PARTIAL_ROUNDS;
}

impl<F: Instance<T>, const T: usize> Poseidon2<F, T> {
    /// The permutation, in place.
    pub fn permute(state: &mut [F; T]) {
        F::permute(state);
    }

    /// The permutation of each state, in place: as [`permute`](Self::permute) one by one, and faster where the back end is
    /// `"ifma"`, which takes eight at once for t up to 8. Any number; nothing is allocated.
    pub fn permute_many(states: &mut [[F; T]]) {
        F::permute_many(states);
    }

    /// The internal matrix's diagonal, less 1; its other entries are all 1.
    #[must_use]
    pub fn internal_diagonal() -> [F; T] {
        F::internal_diagonal()
    }

    /// What is added before the S-boxes of a round, counted from 0 through all of them; in internal rounds lanes from 1 on are 0. `None` for a
    /// round that there is not.
    #[must_use]
    pub fn round_constants(round: usize) -> Option<[F; T]> {
        (round < Self::EXTERNAL_ROUNDS + Self::INTERNAL_ROUNDS).then(|| F::round_constants(round))
    }
}
