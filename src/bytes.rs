//! Hashes of 32-byte inputs, in either byte order.

use crate::field::words;
use crate::poseidon::sealed::Tables;
use crate::poseidon::{digest_slice, MAX_INPUTS, MIN_INPUTS};
use crate::reveal::reveal;
#[cfg(const_poseidon_syscall)]
use crate::solana::{self, Slice};
use crate::{Arity, Error, Fr, Poseidon, Width};

#[derive(Clone, Copy)]
pub(crate) enum ByteOrder {
    Big,
    Little,
}

impl ByteOrder {
    /// The integer of the bytes, whose element it puts into its place, and whether it is below p. Time tells whether it is, and nothing else.
    #[inline(never)]
    fn read(self, bytes: &[u8; 32], element: &mut Fr) -> bool {
        let words = match self {
            Self::Big => words::from_be_bytes(bytes),
            Self::Little => words::from_le_bytes(bytes),
        };
        let below = Fr::reduce_at_run_time(words, element);
        reveal(below)
    }

    fn read_tag(self, bytes: Option<&[u8; 32]>) -> Result<Option<Fr>, Error> {
        let Some(bytes) = bytes else { return Ok(None) };
        let mut tag = Fr::ZERO;
        if self.read(bytes, &mut tag) {
            Ok(Some(tag))
        } else {
            Err(Error::DomainTagNotBelowModulus)
        }
    }

    #[cfg_attr(const_poseidon_narrow, inline(never))] // what it needs is not on the caller's stack
    fn write(self, element: &Fr) -> [u8; 32] {
        match self {
            Self::Big => words::to_be_bytes(element.words_at_run_time()),
            Self::Little => words::to_le_bytes(element.words_at_run_time()),
        }
    }
}

/// Bytes most significant first, as light-poseidon's `hash_bytes_be` and Solana's `Endianness::BigEndian`.
impl<const T: usize> Poseidon<T>
where
    Self: Width<T>,
{
    /// The hash of N = T - 1 inputs of 32 bytes, most significant byte first; so is the digest. Domain tag 0.
    ///
    /// # Errors
    /// [`Error::NotBelowModulus`], for the first input whose integer is not below p.
    ///
    /// ```
    /// use const_poseidon::{Error, Poseidon};
    ///
    /// let digest = Poseidon::<3>::hash_bytes_be(&[[1; 32], [2; 32]])?;
    /// assert_eq!(digest[..4], [0x0d, 0x54, 0xe1, 0x93]);
    /// assert_eq!(Poseidon::<3>::hash_bytes_be(&[[1; 32], [0xff; 32]]), Err(Error::NotBelowModulus { index: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn hash_bytes_be<const N: usize>(inputs: &[[u8; 32]; N]) -> Result<[u8; 32], Error>
    where
        Self: Arity<N>,
    {
        Self::hash_bytes(ByteOrder::Big, None, inputs)
    }

    /// As [`hash_bytes_be`](Self::hash_bytes_be), least significant byte first.
    ///
    /// # Errors
    /// As [`hash_bytes_be`](Self::hash_bytes_be).
    pub fn hash_bytes_le<const N: usize>(inputs: &[[u8; 32]; N]) -> Result<[u8; 32], Error>
    where
        Self: Arity<N>,
    {
        Self::hash_bytes(ByteOrder::Little, None, inputs)
    }

    /// As [`hash_bytes_be`](Self::hash_bytes_be), with a domain tag in lane 0.
    ///
    /// # Errors
    /// [`Error::DomainTagNotBelowModulus`] before all others, then as [`hash_bytes_be`](Self::hash_bytes_be).
    pub fn hash_bytes_be_with_tag<const N: usize>(
        domain_tag: &[u8; 32],
        inputs: &[[u8; 32]; N],
    ) -> Result<[u8; 32], Error>
    where
        Self: Arity<N>,
    {
        Self::hash_bytes(ByteOrder::Big, Some(domain_tag), inputs)
    }

    /// As [`hash_bytes_be_with_tag`](Self::hash_bytes_be_with_tag), least significant byte first.
    ///
    /// # Errors
    /// As [`hash_bytes_be_with_tag`](Self::hash_bytes_be_with_tag).
    pub fn hash_bytes_le_with_tag<const N: usize>(
        domain_tag: &[u8; 32],
        inputs: &[[u8; 32]; N],
    ) -> Result<[u8; 32], Error>
    where
        Self: Arity<N>,
    {
        Self::hash_bytes(ByteOrder::Little, Some(domain_tag), inputs)
    }

    #[inline]
    fn hash_bytes<const N: usize>(
        order: ByteOrder,
        domain_tag: Option<&[u8; 32]>,
        inputs: &[[u8; 32]; N],
    ) -> Result<[u8; 32], Error>
    where
        Self: Arity<N>,
    {
        #[cfg(const_poseidon_syscall)]
        if domain_tag.is_none() && N <= solana::MAX_INPUTS {
            let mut slices = [Slice::EMPTY; N];
            for (index, (slice, bytes)) in slices.iter_mut().zip(inputs).enumerate() {
                if !solana::is_below_modulus(order, bytes) {
                    return Err(Error::NotBelowModulus { index });
                }
                *slice = Slice::of(bytes);
            }
            let mut result = Ok([0; 32]);
            if let Ok(digest) = &mut result {
                solana::digest(order, &slices, digest);
            }
            return result;
        }
        let domain_tag = order.read_tag(domain_tag)?;
        let mut elements = [Fr::ZERO; N];
        for (index, (element, bytes)) in elements.iter_mut().zip(inputs).enumerate() {
            if !order.read(bytes, element) {
                return Err(Error::NotBelowModulus { index });
            }
        }
        Ok(order.write(&<Self as Tables<T>>::digest(domain_tag, &elements)))
    }
}

/// circomlib's Poseidon of 1 to 16 inputs of exactly 32 bytes, most significant byte first; so is the digest. Domain tag 0.
///
/// The shape of light-poseidon's `hash_bytes_be` and solana-poseidon's `hashv`. The number of inputs chooses the width. This links the tables of every width; where
/// the number of inputs is known, [`Poseidon::hash_bytes_be`] links one.
///
/// # Errors
/// [`Error::InputCount`] for no inputs or more than 16; else for the first input at fault [`Error::InputLength`], which is
/// decided without reading it, or [`Error::NotBelowModulus`].
///
/// ```
/// use const_poseidon::{hash_bytes_be, Error, Poseidon};
///
/// let (left, right) = ([1; 32], [2; 32]);
/// assert_eq!(hash_bytes_be(&[&left, &right]), Poseidon::<3>::hash_bytes_be(&[left, right]));
/// assert_eq!(hash_bytes_be(&[&left, &right[1..]]), Err(Error::InputLength { index: 1, given: 31 }));
/// ```
pub fn hash_bytes_be(inputs: &[&[u8]]) -> Result<[u8; 32], Error> {
    hash_bytes(ByteOrder::Big, None, inputs)
}

/// As [`hash_bytes_be`], least significant byte first.
///
/// # Errors
/// As [`hash_bytes_be`].
pub fn hash_bytes_le(inputs: &[&[u8]]) -> Result<[u8; 32], Error> {
    hash_bytes(ByteOrder::Little, None, inputs)
}

/// As [`hash_bytes_be`], with a domain tag in lane 0: light-poseidon's `with_domain_tag_circom` and `hash_bytes_be`.
///
/// # Errors
/// As [`hash_bytes_be`], with [`Error::DomainTagNotBelowModulus`] after the number of inputs and before all else.
pub fn hash_bytes_be_with_tag(domain_tag: &[u8; 32], inputs: &[&[u8]]) -> Result<[u8; 32], Error> {
    hash_bytes(ByteOrder::Big, Some(domain_tag), inputs)
}

/// As [`hash_bytes_be_with_tag`], least significant byte first.
///
/// # Errors
/// As [`hash_bytes_be_with_tag`].
pub fn hash_bytes_le_with_tag(domain_tag: &[u8; 32], inputs: &[&[u8]]) -> Result<[u8; 32], Error> {
    hash_bytes(ByteOrder::Little, Some(domain_tag), inputs)
}

fn hash_bytes(order: ByteOrder, domain_tag: Option<&[u8; 32]>, inputs: &[&[u8]]) -> Result<[u8; 32], Error> {
    #[cfg(const_poseidon_syscall)]
    if domain_tag.is_none() && (MIN_INPUTS..=solana::MAX_INPUTS).contains(&inputs.len()) {
        let mut slices = [Slice::EMPTY; solana::MAX_INPUTS];
        for (index, (slice, bytes)) in slices.iter_mut().zip(inputs).enumerate() {
            let bytes = <&[u8; 32]>::try_from(*bytes).map_err(|_| Error::InputLength { index, given: bytes.len() })?;
            if !solana::is_below_modulus(order, bytes) {
                return Err(Error::NotBelowModulus { index });
            }
            *slice = Slice::of(bytes);
        }
        let mut result = Ok([0; 32]);
        if let Ok(digest) = &mut result {
            solana::digest(order, slices.get(..inputs.len()).unwrap_or(&[]), digest);
        }
        return result;
    }
    let mut elements = [Fr::ZERO; MAX_INPUTS];
    let count_error = Error::InputCount { given: inputs.len(), min: MIN_INPUTS, max: MAX_INPUTS };
    let elements = elements.get_mut(..inputs.len()).filter(|elements| !elements.is_empty()).ok_or(count_error)?;
    let domain_tag = order.read_tag(domain_tag)?;
    for (index, (element, bytes)) in elements.iter_mut().zip(inputs).enumerate() {
        let bytes = <&[u8; 32]>::try_from(*bytes).map_err(|_| Error::InputLength { index, given: bytes.len() })?;
        if !order.read(bytes, element) {
            return Err(Error::NotBelowModulus { index });
        }
    }
    Ok(order.write(&digest_slice(domain_tag, elements)?))
}
