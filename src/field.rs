//! Prime field elements.
//!
//! A representation defines what the machine's multiplication defines: Montgomery form, products, sums, and the conversion from
//! and to plain words. `limbs64` is for machines that multiply 64-bit words to 128 bits, `limbs28` for all others; build.rs chooses. `arithmetic`
//! says what the permutations compute with: sums of products and values that are not always below p. This module defines
//! everything else in terms of those. Outside it, only the tables that build.rs writes know how an element is laid out.
//!
//! Arithmetic and conversion take the same time for every value: no branch and no table index depends on one. The strict
//! constructors branch on whether they refuse, and on nothing else.
//! Text ([`Display`](core::fmt::Display), [`Debug`](core::fmt::Debug), [`FromStr`](core::str::FromStr)) does not.

pub(crate) mod arithmetic;
pub(crate) mod backend;
#[cfg(not(const_poseidon_narrow))]
pub(crate) mod lazy;
#[cfg(const_poseidon_narrow)]
pub(crate) mod limbs28;
#[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
pub(crate) mod limbs52;
#[cfg(not(const_poseidon_narrow))]
mod limbs64;
mod modulus;
#[cfg(test)]
pub(crate) mod tests;
mod text;
#[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
pub(crate) mod vector;
pub(crate) mod words;

use crate::reveal::{const_fn, reveal};
use crate::Error;
use arithmetic::Arithmetic;
use backend::on_backend;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
#[cfg(const_poseidon_narrow)]
use limbs28::{self as limbs, Limbs};
#[cfg(not(const_poseidon_narrow))]
use limbs64::{self as limbs, Limbs};

#[cfg(feature = "bls12-381")]
pub use modulus::Bls12_381;
pub use modulus::{Bn254, Modulus};
pub use text::ParseError;
use words::Words;

/// An element of the field of integers modulo the prime of `M`, always canonical: two elements are equal when and only when
/// their representations are.
///
/// The layout in memory is private and depends on the target. Elements cross borders as 32 bytes
/// ([`to_bytes_be`](Self::to_bytes_be), [`to_bytes_le`](Self::to_bytes_le)) or as text: [`Display`](core::fmt::Display) is decimal, as
/// circom prints, [`Debug`](core::fmt::Debug) is `0x` and 64 hexadecimal digits.
///
/// `==` takes the same time for all values; a branch on its answer is the caller's. An element is `Copy` and is not wiped when it is dropped.
#[derive(Clone, Copy)]
pub struct Element<M>(Limbs, PhantomData<M>);

/// BN254's scalar field, the field of circom's signals:
/// p = 21888242871839275222246405745257275088548364400416034343698204186575808495617.
///
/// ```
/// use const_poseidon::Fr;
///
/// const SEVEN: Fr = Fr::from_u64(7);
/// let x: Fr = "0x10".parse()?;
/// assert_eq!((x + SEVEN).to_string(), "23");
/// assert_eq!(Fr::from_bytes_be(&x.to_bytes_be()), Ok(x));
/// # Ok::<(), const_poseidon::field::ParseError>(())
/// ```
pub type Fr = Element<Bn254>;

impl<M: Modulus> Element<M> {
    /// 0.
    pub const ZERO: Self = Self::wrap(limbs::ZERO);

    /// 1.
    pub const ONE: Self = Self::from_u64(1);

    /// Canonical limbs: what the lazy arithmetic made.
    pub(crate) fn from_canonical(limbs: Limbs) -> Self {
        debug_assert!(limbs::is_canonical::<M>(limbs));
        Self::wrap(limbs)
    }

    /// The limbs, canonical.
    pub(crate) const fn limbs(&self) -> &Limbs {
        &self.0
    }

    const fn wrap(limbs: Limbs) -> Self {
        Self(limbs, PhantomData)
    }

    /// An element as it is laid out: the form of the generated tables, which are canonical.
    pub(crate) const fn from_table(limbs: Limbs) -> Self {
        Self::wrap(limbs)
    }

    /// An element in Montgomery form with R = 2^256, arkworks': the words of a * 2^256, reduced.
    #[cfg(const_poseidon_ark)]
    pub(crate) fn from_montgomery(words: Words) -> Self {
        Self::wrap(limbs::from_montgomery::<M>(words))
    }

    /// The words of a * 2^256 mod p.
    #[cfg(const_poseidon_ark)]
    pub(crate) fn to_montgomery(self) -> Words {
        limbs::to_montgomery::<M>(self.0)
    }

    /// The element of an integer below 2^64.
    #[must_use]
    pub const fn from_u64(integer: u64) -> Self {
        Self::wrap(limbs::from_words::<M>([integer, 0, 0, 0]))
    }

    /// The element of an integer below 2^128, such as half of a 32-byte key.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
    pub const fn from_u128(integer: u128) -> Self {
        Self::wrap(limbs::from_words::<M>([integer as u64, (integer >> 64) as u64, 0, 0]))
    }

    const_fn! {
        /// The element of 32 bytes, most significant byte first.
        ///
        /// # Errors
        /// [`Error::NotBelowModulus`] with index 0 if the integer is not below p.
        pub fn from_bytes_be(bytes: &[u8; 32]) -> Result<Self, Error> {
            Self::strict(words::from_be_bytes(bytes))
        }

        /// The element of 32 bytes, least significant byte first.
        ///
        /// # Errors
        /// [`Error::NotBelowModulus`] with index 0 if the integer is not below p.
        pub fn from_bytes_le(bytes: &[u8; 32]) -> Result<Self, Error> {
            Self::strict(words::from_le_bytes(bytes))
        }

        fn strict(words: Words) -> Result<Self, Error> {
            let (element, below) = Self::reduce(words);
            if reveal(below) {
                Ok(element)
            } else {
                Err(Error::NotBelowModulus { index: 0 })
            }
        }
    }

    /// The element that 32 bytes, most significant byte first, are equal to modulo p.
    ///
    /// Up to six different inputs give the same element (2^256 is 5.29 p for BN254), so a hash of the result does not bind its
    /// author to the bytes. Where that matters split the bytes instead ([`split_bytes_be`](Self::split_bytes_be)).
    #[must_use]
    pub const fn from_bytes_be_mod_order(bytes: &[u8; 32]) -> Self {
        Self::reduce(words::from_be_bytes(bytes)).0
    }

    /// As [`from_bytes_be_mod_order`](Self::from_bytes_be_mod_order), least significant byte first.
    #[must_use]
    pub const fn from_bytes_le_mod_order(bytes: &[u8; 32]) -> Self {
        Self::reduce(words::from_le_bytes(bytes)).0
    }

    /// The high and the low half of 32 bytes, most significant byte first, as two elements: every 32-byte string has its own
    /// pair, so that hashing both binds to the bytes.
    ///
    /// ```
    /// # use const_poseidon::{hash, Fr};
    /// let key = [0xab; 32];
    /// let half = Fr::from_u128(0xabab_abab_abab_abab_abab_abab_abab_abab);
    /// assert_eq!(Fr::split_bytes_be(&key), [half, half]);
    /// let digest = hash(&Fr::split_bytes_be(&key));
    /// # assert_ne!(digest, half);
    /// ```
    #[must_use]
    pub const fn split_bytes_be(bytes: &[u8; 32]) -> [Self; 2] {
        Self::split(words::from_be_bytes(bytes))
    }

    /// The high and the low half, in that order, of 32 bytes whose least significant byte comes first.
    #[must_use]
    pub const fn split_bytes_le(bytes: &[u8; 32]) -> [Self; 2] {
        Self::split(words::from_le_bytes(bytes))
    }

    const fn split([a, b, c, d]: Words) -> [Self; 2] {
        [Self::wrap(limbs::from_words::<M>([c, d, 0, 0])), Self::wrap(limbs::from_words::<M>([a, b, 0, 0]))]
    }

    /// The integer below p as 32 bytes, most significant byte first.
    #[must_use]
    pub const fn to_bytes_be(self) -> [u8; 32] {
        words::to_be_bytes(limbs::to_words::<M>(self.0))
    }

    /// The integer below p as 32 bytes, least significant byte first.
    #[must_use]
    pub const fn to_bytes_le(self) -> [u8; 32] {
        words::to_le_bytes(limbs::to_words::<M>(self.0))
    }

    /// As [`reduce`](Self::reduce), into the element's place, with the arithmetic that hashes have linked in any case.
    #[inline(always)]
    pub(crate) fn reduce_at_run_time(words: Words, element: &mut Self) -> bool {
        element.0 = limbs::from_words_at_run_time::<M>(words);
        words::is_below_modulus::<M>(words)
    }

    /// The words of the integer below p, likewise.
    #[cfg_attr(const_poseidon_narrow, inline(never))] // what it needs is not on the caller's stack
    pub(crate) fn words_at_run_time(&self) -> Words {
        limbs::to_words_at_run_time::<M>(self.0)
    }

    /// The integer modulo p, and whether it was below p.
    pub(crate) const fn reduce(words: Words) -> (Self, bool) {
        (Self::wrap(limbs::from_words::<M>(words)), words::is_below_modulus::<M>(words))
    }

    /// a^2.
    #[must_use]
    pub fn square(self) -> Self {
        on_backend!(B => {
            let mut square = limbs::ZERO;
            <B as Arithmetic<M>>::square(&self.0, &mut square);
            Self::wrap(<B as Arithmetic<M>>::canonical::<1>(square))
        })
    }

    /// a^5, Poseidon's S-box: two squarings and a product.
    #[must_use]
    pub fn pow5(self) -> Self {
        on_backend!(B => {
            let mut power = limbs::ZERO;
            <B as Arithmetic<M>>::pow5::<1>(&self.0, &mut power);
            Self::wrap(<B as Arithmetic<M>>::from_kept(power))
        })
    }
}

/// 0.
impl<M: Modulus> Default for Element<M> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<M: Modulus> PartialEq for Element<M> {
    fn eq(&self, other: &Self) -> bool {
        limbs::eq(self.0, other.0)
    }
}

impl<M: Modulus> Eq for Element<M> {}

impl<M: Modulus> Hash for Element<M> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl<M: Modulus> From<$integer> for Element<M> {
            fn from(integer: $integer) -> Self {
                Self::from_u128(integer.into())
            }
        }
    )*};
}

from_integer!(bool, u8, u16, u32, u64, u128);

impl<M: Modulus> Neg for Element<M> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::wrap(limbs::neg::<M>(self.0))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, $limbs:path) => {
        impl<M: Modulus> $trait for Element<M> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self::wrap($limbs(self.0, other.0))
            }
        }

        impl<M: Modulus> $assign_trait for Element<M> {
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, limbs::add::<M>);
operator!(Sub, sub, SubAssign, sub_assign, limbs::sub::<M>);

impl<M: Modulus> Mul for Element<M> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        // Less than (1.0001 + rho) p comes of canonical factors.
        on_backend!(B => {
            let mut product = limbs::ZERO;
            <B as Arithmetic<M>>::multiply(&self.0, &other.0, &mut product);
            Self::wrap(<B as Arithmetic<M>>::canonical::<1>(product))
        })
    }
}

impl<M: Modulus> MulAssign for Element<M> {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}
