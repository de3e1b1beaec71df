//! Four 64-bit limbs in Montgomery form: an element a is held as a * R mod p, R = 2^256, least significant limb first.
//!
//! What is here works on canonical limbs, below p, unless it says otherwise; p has 255 bits at most, so 2p fits.

use super::modulus::sealed::Modulus;
use super::words::{add_if_negative, below_modulus, doubled, halved, sub_words, Words};
pub(super) use super::words::{add_mod as add, is_below_modulus as is_canonical};
#[cfg(const_poseidon_ark)]
use super::{arithmetic::Arithmetic, backend::on_backend};

pub(crate) type Limbs = [u64; 4];

pub(crate) const ZERO: Limbs = [0; 4];

/// Constants that follow from a modulus.
pub(super) struct Constants<M>(M);

impl<M: Modulus> Constants<M> {
    /// -1/p mod 2^64. Newton's iteration doubles the right bits; an odd p is its own inverse to three of them.
    pub(super) const INVERSE: u64 = {
        let mut inverse = M::P[0];
        let mut step = 0;
        while step < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(M::P[0].wrapping_mul(inverse)));
            step += 1;
        }
        inverse.wrapping_neg()
    };

    /// 2^-64 mod p.
    pub(super) const INVERSE_2_64: Words = halved::<M>(64);

    /// 2^-128 mod p.
    #[cfg(const_poseidon_adx)]
    pub(super) const INVERSE_2_128: Words = halved::<M>(128);

    /// R^2 mod p: 1 doubled 512 times.
    const R2: Limbs = doubled::<M>(512);
}

/// The element of any words in arkworks' form, which is this representation's own; 2^256 is below 8p.
#[cfg(const_poseidon_ark)]
pub(super) fn from_montgomery<M: Modulus>(words: Words) -> Limbs {
    on_backend!(B => <B as Arithmetic<M>>::canonical::<3>(words))
}

/// Arkworks' form.
#[cfg(const_poseidon_ark)]
pub(super) fn to_montgomery<M: Modulus>(a: Limbs) -> Words {
    a
}

/// The element of any 256-bit integer, reduced.
pub(super) const fn from_words<M: Modulus>(words: Words) -> Limbs {
    mul::<M>(Constants::<M>::R2, words)
}

/// The integer below p.
pub(super) const fn to_words<M: Modulus>(a: Limbs) -> Words {
    // a * 1 / R; `mul` allows a first factor below p.
    mul::<M>(a, [1, 0, 0, 0])
}

// The same at run time: a conversion is one product in either case.
pub(super) use from_words as from_words_at_run_time;
pub(super) use to_words as to_words_at_run_time;

/// Of the differences' union, which the compiler must not see through: it would compare limb by limb and leave at the first that differs.
pub(super) fn eq(a: Limbs, b: Limbs) -> bool {
    core::hint::black_box((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0
}

pub(super) const fn sub<M: Modulus>(a: Limbs, b: Limbs) -> Limbs {
    add_if_negative(sub_words(a, b).0, M::P)
}

pub(super) const fn neg<M: Modulus>(a: Limbs) -> Limbs {
    sub::<M>(ZERO, a)
}

/// a * b / R mod p, for a below p and *any* b: Montgomery's product, operand scanning. For conversions and constants; `lazy.rs`
/// has the product that arithmetic uses.
///
/// Before each step t < a + p, so t + a * b[i] + q * p < a + p + (a + p)(2^64 - 1) = (a + p) 2^64; that sum's low word is
/// made zero by the choice of q, so t < a + p < 2p after the step as well. With 2p < 2^256 the step's two top carries
/// add without overflow.
pub(super) const fn mul<M: Modulus>(a: Limbs, b: Words) -> Limbs {
    let p = M::P;
    let mut t = ZERO;
    let mut i = 0;
    while i < 4 {
        let (low, mut carry) = multiply_add(t[0], a[0], b[i], 0);
        let q = low.wrapping_mul(Constants::<M>::INVERSE);
        let (zero, mut reducing_carry) = multiply_add(low, q, p[0], 0);
        debug_assert!(zero == 0);
        let mut j = 1;
        while j < 4 {
            let sum;
            (sum, carry) = multiply_add(t[j], a[j], b[i], carry);
            (t[j - 1], reducing_carry) = multiply_add(sum, q, p[j], reducing_carry);
            j += 1;
        }
        t[3] = carry + reducing_carry;
        i += 1;
    }
    below_modulus::<M>(t)
}

/// t + a * b + carry as low and high word; it is below 2^128.
#[allow(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
pub(super) const fn multiply_add(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = t as u128 + a as u128 * b as u128 + carry as u128;
    (sum as u64, (sum >> 64) as u64)
}
