//! Four 64-bit limbs in Montgomery form: an element a is held as a * R mod p, R = 2^256, least significant limb first.
//!
//! What is here works on canonical limbs, below p, unless it says otherwise; p has 255 bits at most, so 2p fits.

use super::modulus::sealed::Modulus;
use super::Words;

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
    pub(super) const INVERSE_2_64: Words = Self::halved(64);

    /// 2^-128 mod p.
    #[cfg(const_poseidon_adx)]
    pub(super) const INVERSE_2_128: Words = Self::halved(128);

    /// 1, halved modulo p: p is added where the value is odd.
    pub(super) const fn halved(times: u32) -> Words {
        let mut value = [1, 0, 0, 0];
        let mut step = 0;
        while step < times {
            let (even, _) = add_words(value, masked(M::P, (value[0] & 1).wrapping_neg()));
            value = [
                even[0] >> 1 | even[1] << 63,
                even[1] >> 1 | even[2] << 63,
                even[2] >> 1 | even[3] << 63,
                even[3] >> 1,
            ];
            step += 1;
        }
        value
    }

    /// R^2 mod p: 1 doubled 512 times.
    const R2: Limbs = Self::doubled(512);

    /// 1, doubled modulo p.
    pub(super) const fn doubled(times: u32) -> Words {
        assert!(M::P[3] >> 63 == 0);
        let mut power = [1, 0, 0, 0];
        let mut doubling = 0;
        while doubling < times {
            power = add::<M>(power, power);
            doubling += 1;
        }
        power
    }
}

/// An element from its Montgomery form.
pub(super) const fn from_montgomery(words: Words) -> Limbs {
    words
}

/// The inverse of [`from_montgomery`].
#[cfg(const_poseidon_ark)]
pub(super) const fn to_montgomery(a: Limbs) -> Words {
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

/// Whether an integer is below p, in constant time.
pub(super) const fn is_below_modulus<M: Modulus>(words: Words) -> bool {
    sub_words(words, M::P).1 == 1
}

/// Of the differences' union, which the compiler must not see through: it would compare limb by limb and leave at the first that differs.
pub(super) fn eq(a: Limbs, b: Limbs) -> bool {
    core::hint::black_box((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0
}

pub(super) const fn add<M: Modulus>(a: Limbs, b: Limbs) -> Limbs {
    let (sum, carry) = add_words(a, b);
    debug_assert!(carry == 0); // a + b < 2p < 2^256
    below_modulus::<M>(sum)
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

/// A value below 2p, brought below p.
const fn below_modulus<M: Modulus>(value: Words) -> Limbs {
    let canonical = add_if_negative(sub_words(value, M::P).0, M::P);
    debug_assert!(is_below_modulus::<M>(canonical));
    canonical
}

/// A difference in (-p, p) modulo 2^256, and p if it is negative, which its top bit tells since p is below 2^255.
///
/// The mask comes from that bit and not from the subtraction's borrow: LLVM takes a mask made of a borrow for a choice
/// between p and 0 and may make a branch of it (rustc 1.95 did, of this and of a choice between two values).
const fn add_if_negative(difference: Words, p: Words) -> Limbs {
    #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "the shift copies the top bit")]
    let mask = (difference[3] as i64 >> 63) as u64;
    add_words(difference, masked(p, mask)).0
}

/// The words where the mask is all ones, zero where it is zero.
pub(super) const fn masked(words: Words, mask: u64) -> Words {
    [words[0] & mask, words[1] & mask, words[2] & mask, words[3] & mask]
}

/// words * 2^bits, for 0 to 63 bits, modulo 2^256.
pub(super) const fn shifted(words: Words, bits: u32) -> Words {
    let [a, b, c, d] = words;
    [a << bits, b << bits | a >> 1 >> (63 - bits), c << bits | b >> 1 >> (63 - bits), d << bits | c >> 1 >> (63 - bits)]
}

/// a + b modulo 2^256, and the carry.
#[allow(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
pub(super) const fn add_words(a: Words, b: Words) -> (Words, u64) {
    let mut sum = [0; 4];
    let mut carry = 0;
    let mut i = 0;
    while i < 4 {
        let word = a[i] as u128 + b[i] as u128 + carry as u128;
        sum[i] = word as u64;
        carry = (word >> 64) as u64;
        i += 1;
    }
    (sum, carry)
}

/// a - b modulo 2^256, and the borrow.
pub(super) const fn sub_words(a: Words, b: Words) -> (Words, u64) {
    let mut difference = [0; 4];
    let mut borrow = 0;
    let mut i = 0;
    while i < 4 {
        let (word, under) = a[i].overflowing_sub(b[i]);
        let (word, under_again) = word.overflowing_sub(borrow);
        difference[i] = word;
        borrow = (under | under_again) as u64;
        i += 1;
    }
    (difference, borrow)
}
