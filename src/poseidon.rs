//! circomlib's Poseidon over BN254: the type, and its hashes of field elements. Bytes are in `bytes.rs`.

mod fast;
mod instances;
mod parameters;

use crate::{Error, Fr};
pub(crate) use instances::sealed;
pub use instances::{Arity, Inputs, Width};
pub use parameters::Parameters;
use sealed::Tables;

/// The fewest inputs of a circomlib hash.
pub(crate) const MIN_INPUTS: usize = 1;
/// How many a batch converts at once, on the stack: as many as a back end takes.
const GROUP: usize = 8;
/// The most inputs of a circomlib hash.
pub(crate) const MAX_INPUTS: usize = 16;

/// circomlib's Poseidon of width `T`, for `T` from 2 to 17: the S-box x^5 over BN254's scalar field, 8 full rounds, and the partial
/// rounds of circomlib's `poseidon.circom`.
///
/// The hash of N = T - 1 inputs is lane 0 of the permutation of `[domain tag, inputs..]`; the tag is 0 unless a function takes one.
/// Round constants and MDS matrix come from the Grain LFSR, as in the Poseidon paper (ePrint 2019/458, appendix E), and are derived at build time.
///
/// The type is zero-sized and everything is an associated function: there is nothing to construct. Each width's tables are linked only if the width is used.
/// No function allocates or panics, and the time of none depends on a field element.
///
/// ```
/// use const_poseidon::{Fr, Poseidon};
///
/// let digest = Poseidon::<3>::hash(&[Fr::from_u64(1), Fr::from_u64(2)]);
/// assert_eq!(digest.to_string(), "7853200120776062878684798364095072458815029376092732009249414926327459813530");
/// ```
///
/// Other widths do not compile, and neither does a number of inputs that is not T - 1:
/// ```
/// # use const_poseidon::{Fr, Poseidon};
/// let rounds = Poseidon::<17>::PARTIAL_ROUNDS;
/// let rounds = Poseidon::<2>::PARTIAL_ROUNDS;
/// Poseidon::<17>::hash(&[Fr::ONE; 16]);
/// Poseidon::<2>::hash(&[Fr::ONE; 1]);
/// ```
/// ```compile_fail,E0599
/// # use const_poseidon::{Fr, Poseidon};
/// let rounds = Poseidon::<18>::PARTIAL_ROUNDS; // Poseidon supports widths 2 to 17
/// ```
/// ```compile_fail,E0599
/// # use const_poseidon::{Fr, Poseidon};
/// let rounds = Poseidon::<1>::PARTIAL_ROUNDS;
/// ```
/// ```compile_fail,E0308
/// # use const_poseidon::{Fr, Poseidon};
/// Poseidon::<17>::hash(&[Fr::ONE; 15]); // expected an array with a size of 16, found one with a size of 15
/// ```
/// ```compile_fail,E0308
/// # use const_poseidon::{Fr, Poseidon};
/// Poseidon::<2>::hash(&[Fr::ONE; 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Poseidon<const T: usize>;

/// A scalar of BN254: [`Fr`], and with feature `ark` or `ark-0-5` that version's `ark_bn254::Fr`.
///
/// Sealed, and for this field alone, so that an element of another field never compiles.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a BN254 scalar that this build of const-poseidon knows",
    note = "supported: `const_poseidon::Fr`; `ark_bn254::Fr` of ark 0.6 with feature `ark` (default), of ark 0.5 with feature `ark-0-5`",
    note = "integers become elements by `Fr::from_u64`; 32-byte values are hashed by `hash_bytes_be` and `hash_bytes_le`"
)]
pub trait Scalar: sealed::Scalar + Copy + From<Fr> + Into<Fr> {}

impl sealed::Scalar for Fr {}
impl Scalar for Fr {}

impl<const T: usize> Poseidon<T>
where
    Self: Width<T>,
{
    /// R_F: the number of rounds in which every lane passes the S-box, half of them before the partial rounds and half after.
    pub const FULL_ROUNDS: usize = Self::PARAMETERS.full_rounds();

    /// R_P: the number of rounds in which only lane 0 passes the S-box.
    pub const PARTIAL_ROUNDS: usize = Self::PARAMETERS.partial_rounds();

    /// The MDS matrix M: a round's last step is state = M * state, so row i gives lane i.
    #[must_use]
    pub fn mds_matrix() -> &'static [[Fr; T]; T] {
        Self::PARAMETERS.mds_matrix()
    }

    /// The round constants in the order of the rounds, one row of `T` for each of the
    /// `FULL_ROUNDS + PARTIAL_ROUNDS` rounds; a round's first step adds its row to the state.
    #[must_use]
    pub fn round_constants() -> &'static [[Fr; T]] {
        Self::PARAMETERS.round_constants()
    }

    /// The permutation, in place.
    ///
    /// circomlib's `PoseidonEx(nInputs, nOuts)` is this permutation: lane 0 is its `initialState`, the others are its
    /// inputs, and its outputs are the first `nOuts` lanes afterwards.
    ///
    /// ```
    /// use const_poseidon::{Fr, Poseidon};
    ///
    /// let (initial_state, inputs) = (Fr::from_u64(7), [Fr::from_u64(1), Fr::from_u64(2)]);
    /// let mut state = [initial_state, inputs[0], inputs[1]];
    /// Poseidon::<3>::permute(&mut state);
    /// let [first_output, second_output, _] = state;
    /// assert_eq!(first_output, Poseidon::<3>::hash_with_tag(initial_state, &inputs));
    /// # assert_ne!(first_output, second_output);
    /// ```
    pub fn permute<F: Scalar>(state: &mut [F; T]) {
        let mut lanes = state.map(Into::into);
        <Self as Tables<T>>::permute(&mut lanes);
        *state = lanes.map(From::from);
    }

    /// The permutation of each state, in place: as [`permute`](Self::permute) one by one, and faster where the back end is
    /// `"ifma"`, which takes eight at once for t up to 9. Any number; nothing is allocated.
    pub fn permute_many<F: Scalar>(states: &mut [[F; T]]) {
        for group in states.chunks_mut(GROUP) {
            let mut lanes = [[Fr::ZERO; T]; GROUP];
            for (lanes, state) in lanes.iter_mut().zip(&*group) {
                *lanes = state.map(Into::into);
            }
            if let Some(lanes) = lanes.get_mut(..group.len()) {
                <Self as Tables<T>>::permute_many(lanes);
            }
            for (state, lanes) in group.iter_mut().zip(lanes) {
                *state = lanes.map(From::from);
            }
        }
    }

    /// The hash of each array of inputs, into the digest of the same index: as [`hash`](Self::hash) one by one, and faster
    /// where the back end is `"ifma"`, which takes eight at once for t up to 9. Any number; nothing is allocated.
    ///
    /// # Errors
    /// [`Error::BatchLength`] if there are not as many digests as arrays; then nothing is written.
    ///
    /// ```
    /// use const_poseidon::{Fr, Poseidon};
    ///
    /// // A level of a Merkle tree from the one below.
    /// let leaves: [Fr; 8] = std::array::from_fn(|i| Fr::from_u64(i as u64));
    /// let pairs: [[Fr; 2]; 4] = std::array::from_fn(|i| [leaves[2 * i], leaves[2 * i + 1]]);
    /// let mut level = [Fr::ZERO; 4];
    /// Poseidon::<3>::hash_many(&pairs, &mut level)?;
    /// assert_eq!(level[3], Poseidon::<3>::hash(&[leaves[6], leaves[7]]));
    /// # Ok::<(), const_poseidon::Error>(())
    /// ```
    pub fn hash_many<F: Scalar, const N: usize>(inputs: &[[F; N]], digests: &mut [F]) -> Result<(), Error>
    where
        Self: Arity<N>,
    {
        if inputs.len() != digests.len() {
            return Err(Error::BatchLength { inputs: inputs.len(), outputs: digests.len() });
        }
        // By reference: else Zip counts the chunks, by a division that a build for size does not see to be by more than 0.
        for (inputs, digests) in inputs.chunks(GROUP).zip(&mut digests.chunks_mut(GROUP)) {
            let mut elements = [[Fr::ZERO; N]; GROUP];
            for (elements, inputs) in elements.iter_mut().zip(inputs) {
                *elements = inputs.map(Into::into);
            }
            let mut results = [Fr::ZERO; GROUP];
            if let (Some(elements), Some(results)) = (elements.get(..inputs.len()), results.get_mut(..inputs.len())) {
                digest_each::<T, N>(elements, results);
            }
            for (digest, result) in digests.iter_mut().zip(results) {
                *digest = result.into();
            }
        }
        Ok(())
    }

    /// The hash of N = T - 1 inputs, circomlib's `Poseidon(N)`: domain tag 0.
    pub fn hash<F: Scalar, const N: usize>(inputs: &[F; N]) -> F
    where
        Self: Arity<N>,
    {
        digest_untagged::<T>(&inputs.map(Into::into)).into()
    }

    /// The hash of N = T - 1 inputs with a domain tag in lane 0: `initialState` of circomlib's `PoseidonEx`,
    /// light-poseidon's domain tag.
    pub fn hash_with_tag<F: Scalar, const N: usize>(domain_tag: F, inputs: &[F; N]) -> F
    where
        Self: Arity<N>,
    {
        <Self as Tables<T>>::digest(Some(domain_tag.into()), &inputs.map(Into::into)).into()
    }
}

/// Lane 0 of the permutation of 0 and T - 1 inputs; on chain the system call, where it takes as many.
#[inline]
fn digest_untagged<const T: usize>(inputs: &[Fr]) -> Fr
where
    Poseidon<T>: Width<T>,
{
    #[cfg(const_poseidon_syscall)]
    if T - 1 <= crate::solana::MAX_INPUTS {
        return crate::solana::digest_of_elements(inputs);
    }
    <Poseidon<T> as Tables<T>>::digest(None, inputs)
}

/// The same of each array of inputs; there are as many digests.
#[inline]
fn digest_each<const T: usize, const N: usize>(inputs: &[[Fr; N]], digests: &mut [Fr])
where
    Poseidon<T>: Width<T>,
{
    if cfg!(const_poseidon_syscall) {
        for (inputs, digest) in inputs.iter().zip(digests) {
            *digest = digest_untagged::<T>(inputs);
        }
    } else {
        <Poseidon<T> as Tables<T>>::digest_many(inputs, digests);
    }
}

/// circomlib's Poseidon of 1 to 16 field elements; the width follows from the array. Domain tag 0.
///
/// A slice or a `Vec` has no length that the compiler knows: [`hash_slice`] takes those. Bytes go to
/// [`hash_bytes_be`](crate::hash_bytes_be) and [`hash_bytes_le`](crate::hash_bytes_le).
///
/// ```
/// use const_poseidon::{hash, Fr, Poseidon};
///
/// let inputs = [1, 2, 3].map(Fr::from_u64);
/// assert_eq!(hash(&inputs), Poseidon::<4>::hash(&inputs));
/// hash(&[Fr::ONE; 1]);
/// hash(&[Fr::ONE; 16]);
/// ```
/// ```compile_fail,E0277
/// # use const_poseidon::{hash, Fr};
/// hash(&[Fr::ONE; 0]); // Poseidon takes 1 to 16 inputs
/// ```
/// ```compile_fail,E0277
/// # use const_poseidon::{hash, Fr};
/// hash(&[Fr::ONE; 17]);
/// ```
pub fn hash<F: Scalar, const N: usize>(inputs: &[F; N]) -> F
where
    [F; N]: Inputs<F>,
{
    sealed::Digest::digest(inputs)
}

/// circomlib's Poseidon of 1 to 16 field elements, their number known at run time. Domain tag 0.
///
/// The number of inputs chooses the width: where it must be a certain one, convert to an array and call [`Poseidon::hash`].
/// This links the tables of every width; [`hash`] and [`Poseidon::hash`] link one.
///
/// # Errors
/// [`Error::InputCount`] for no inputs or more than 16.
///
/// ```
/// use const_poseidon::{hash, hash_slice, Error, Fr};
///
/// let inputs = [1, 2].map(Fr::from_u64);
/// assert_eq!(hash_slice(&inputs[..]), Ok(hash(&inputs)));
/// assert_eq!(hash_slice(&[Fr::ONE; 17]), Err(Error::InputCount { given: 17, min: 1, max: 16 }));
/// ```
pub fn hash_slice<F: Scalar>(inputs: &[F]) -> Result<F, Error> {
    digest_slice(None, inputs)
}

/// As [`hash_slice`], with a domain tag in lane 0.
///
/// # Errors
/// As [`hash_slice`].
pub fn hash_slice_with_tag<F: Scalar>(domain_tag: F, inputs: &[F]) -> Result<F, Error> {
    digest_slice(Some(domain_tag), inputs)
}

pub(crate) fn digest_slice<F: Scalar>(domain_tag: Option<F>, inputs: &[F]) -> Result<F, Error> {
    macro_rules! try_each {
        ($(($inputs:literal, $width:literal))*) => {
            $(if let Ok(inputs) = <&[F; $inputs]>::try_from(inputs) {
                return Ok(match domain_tag {
                    None => Poseidon::<$width>::hash(inputs),
                    Some(tag) => Poseidon::<$width>::hash_with_tag(tag, inputs),
                });
            })*
        };
    }
    instances::for_each_width!(try_each);
    Err(Error::InputCount { given: inputs.len(), min: MIN_INPUTS, max: MAX_INPUTS })
}
