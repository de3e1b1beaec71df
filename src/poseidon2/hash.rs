//! The hashes of EspressoSystems/jellyfish's `poseidon2` (`crhf.rs`), and zkhash's two-to-one compression.

use super::{Instance, Sponge};
use crate::Error;
use core::marker::PhantomData;

/// A hash of up to `INPUT_SIZE` elements, compatible with jellyfish's `FixedLenPoseidon2Hash`: the elements, and zeros to a multiple of
/// `INPUT_SIZE`, absorbed by a [`Sponge`] that is new, and `OUTPUT_SIZE` squeezed.
///
/// Shorter inputs are not told from those that end in the zeros: `hash(&[a])` is `hash(&[a, 0])` for `INPUT_SIZE` 2. An *empty* input
/// is a multiple already and gets no zeros, so that for an `INPUT_SIZE` above `RATE` its hash is not that of zeros. Upstream is so, and
/// this is compatible; where lengths vary take [`VariableLenHash`].
///
/// `INPUT_SIZE` is not zero, an error when the program is built, which `cargo check` does not show; an `OUTPUT_SIZE` of 0 gives an empty array.
/// ```compile_fail,E0080
/// # use const_poseidon::{poseidon2::FixedLenHash, Fr};
/// FixedLenHash::<Fr, 3, 2, 0, 1>::hash(&[]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FixedLenHash<
    F: Instance<T>,
    const T: usize,
    const RATE: usize,
    const INPUT_SIZE: usize,
    const OUTPUT_SIZE: usize,
>(PhantomData<F>);

impl<F: Instance<T>, const T: usize, const RATE: usize, const INPUT_SIZE: usize, const OUTPUT_SIZE: usize>
    FixedLenHash<F, T, RATE, INPUT_SIZE, OUTPUT_SIZE>
{
    /// The hash.
    ///
    /// # Errors
    /// [`Error::InputCount`] for more than `INPUT_SIZE` elements.
    pub fn hash(inputs: &[F]) -> Result<[F; OUTPUT_SIZE], Error> {
        const {
            assert!(INPUT_SIZE > 0, "a hash's INPUT_SIZE is at least 1");
            assert!(RATE > 0 && RATE < T, "a sponge's RATE is from 1 to T - 1");
        }
        if inputs.len() > INPUT_SIZE {
            return Err(Error::InputCount { given: inputs.len(), min: 0, max: INPUT_SIZE });
        }
        let mut sponge = Sponge::<F, T, RATE>::default();
        sponge.absorb(inputs);
        if !inputs.is_empty() {
            for _ in inputs.len()..INPUT_SIZE {
                sponge.absorb(&[F::ZERO]);
            }
        }
        let mut outputs = [F::ZERO; OUTPUT_SIZE];
        sponge.squeeze(&mut outputs);
        Ok(outputs)
    }
}

/// A hash of any number of elements, compatible with jellyfish's `VariableLenPoseidon2Hash`: the elements, a 1, and zeros to a multiple
/// of `RATE`, absorbed by a [`Sponge`] that is new, and `OUTPUT_SIZE` squeezed. No two inputs are padded to the same.
///
/// ```
/// use const_poseidon::{poseidon2::VariableLenHash, Fr};
///
/// let [digest] = VariableLenHash::<Fr, 3, 2, 1>::hash(&[Fr::ONE; 5]);
/// assert_ne!([digest], VariableLenHash::<Fr, 3, 2, 1>::hash(&[Fr::ONE; 4]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VariableLenHash<F: Instance<T>, const T: usize, const RATE: usize, const OUTPUT_SIZE: usize>(PhantomData<F>);

impl<F: Instance<T>, const T: usize, const RATE: usize, const OUTPUT_SIZE: usize>
    VariableLenHash<F, T, RATE, OUTPUT_SIZE>
{
    /// The hash.
    #[must_use]
    pub fn hash(inputs: &[F]) -> [F; OUTPUT_SIZE] {
        const { assert!(RATE > 0 && RATE < T, "a sponge's RATE is from 1 to T - 1") };
        let mut sponge = Sponge::<F, T, RATE>::default();
        sponge.absorb(inputs);
        sponge.absorb(&[F::ONE]);
        // The remainder first: a length near usize::MAX must not overflow.
        for _ in inputs.len() % RATE + 1..RATE {
            sponge.absorb(&[F::ZERO]);
        }
        let mut outputs = [F::ZERO; OUTPUT_SIZE];
        sponge.squeeze(&mut outputs);
        outputs
    }
}

/// Two elements to one, for Merkle trees: lane 0 of the permutation of [left, right, 0] at t = 3, without feed-forward, as zkhash's
/// `MerkleTreeHash` has it. gnark-crypto adds an input to the output; that is another function.
///
/// ```
/// use const_poseidon::{poseidon2::compress, Fr};
///
/// let node = compress(Fr::from_u64(111), Fr::from_u64(222));
/// assert_eq!(format!("{node:?}"), "0x0af73d8a3f066649dbdb14e1c9923a0d1cdd822d22f1e8dabcec606131706093");
/// ```
#[must_use]
pub fn compress<F: Instance<3>>(left: F, right: F) -> F {
    let mut state = [left, right, F::ZERO];
    F::permute(&mut state);
    state[0]
}
