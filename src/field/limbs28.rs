//! Nine limbs in Montgomery form for machines whose multiplication leaves 64 bits: an element a is held as a * R mod p, R = 2^280,
//! least significant limb first, 28 bits in each but the last, which has what is left.
//!
//! Both primes are 1 modulo 2^28. Montgomery's q is then the lowest limb negated, without a multiplication, and q p has one product
//! less than p has limbs. Ten such steps leave a product below p (1 + 2^-20) whatever its factors: nothing is subtracted
//! between products, and a product of two limbs leaves 8 bits of a 64-bit word for sums of them (`columns.rs`).
//!
//! What is here works on canonical limbs, below p, unless it says otherwise.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "limbs are cut from wider sums, some of them signed"
)]

pub(crate) mod columns;
#[cfg(test)]
mod tests;

use super::arithmetic::Arithmetic;
use super::modulus::sealed::Modulus;
use super::words::{doubled, Words};

pub(crate) type Limbs = [u32; 9];

pub(crate) const ZERO: Limbs = [0; 9];

/// Bits of a limb.
const BITS: u32 = 28;
const MASK: u64 = (1 << BITS) - 1;

/// Constants that follow from a modulus.
struct Constants<M>(M);

impl<M: Modulus> Constants<M> {
    const P: Limbs = {
        let p = split(M::P);
        assert!(p[0] == 1 && p[8] >> 31 == 0);
        p
    };

    /// R^2 mod p.
    const R2: Limbs = split(doubled::<M>(560));

    /// 2^56 / (the top limb of p + 1), by which [`columns::kept`] divides.
    const RECIPROCAL: u64 = (1 << 56) / (Self::P[8] as u64 + 1);
}

/// The limbs of 256 bits.
const fn split([a, b, c, d]: Words) -> Limbs {
    const fn low(word: u64) -> u32 {
        (word & MASK) as u32
    }
    [
        low(a),
        low(a >> 28),
        low(a >> 56 | b << 8),
        low(b >> 20),
        low(b >> 48 | c << 16),
        low(c >> 12),
        low(c >> 40 | d << 24),
        low(d >> 4),
        (d >> 32) as u32,
    ]
}

/// The words of limbs below 2^28, and of a last one that is anything.
const fn join(limbs: Limbs) -> Words {
    let [a, b, c, d, e, f, g, h, i] = limbs;
    [
        a as u64 | (b as u64) << 28 | (c as u64) << 56,
        c as u64 >> 8 | (d as u64) << 20 | (e as u64) << 48,
        e as u64 >> 16 | (f as u64) << 12 | (g as u64) << 40,
        g as u64 >> 24 | (h as u64) << 4 | (i as u64) << 32,
    ]
}

/// The element of any words in arkworks' form: a * 2^256 * 2^304 / 2^280.
#[cfg(const_poseidon_ark)]
pub(super) fn from_montgomery<M: Modulus>(words: Words) -> Limbs {
    mul::<M>(&split(words), &const { split(doubled::<M>(304)) })
}

/// Arkworks' form: a * 2^280 * 2^256 / 2^280.
#[cfg(const_poseidon_ark)]
pub(super) fn to_montgomery<M: Modulus>(a: Limbs) -> Words {
    join(mul::<M>(&a, &const { split(doubled::<M>(256)) }))
}

/// The element of any 256-bit integer, reduced.
pub(super) const fn from_words<M: Modulus>(words: Words) -> Limbs {
    mul::<M>(&split(words), &Constants::<M>::R2)
}

/// The integer below p.
pub(super) const fn to_words<M: Modulus>(a: Limbs) -> Words {
    join(mul::<M>(&a, &[1, 0, 0, 0, 0, 0, 0, 0, 0]))
}

/// As [`from_words`], by the product that hashes have linked, which is no constant function on every target.
pub(super) fn from_words_at_run_time<M: Modulus>(words: Words) -> Limbs {
    let mut value = ZERO;
    <columns::Narrow as Arithmetic<M>>::multiply(&split(words), &Constants::<M>::R2, &mut value);
    below_modulus::<M>(&value)
}

/// As [`to_words`]. The reduction leaves p only of a multiple of p, and a canonical value is none but zero, of which it leaves zero.
pub(super) fn to_words_at_run_time<M: Modulus>(a: Limbs) -> Words {
    let mut value = ZERO;
    <columns::Narrow as Arithmetic<M>>::reduce(&<columns::Narrow as Arithmetic<M>>::begin(&a), &mut value);
    join(value)
}

/// Whether limbs are those of an integer below p: for assertions.
pub(super) const fn is_canonical<M: Modulus>(a: Limbs) -> bool {
    let words = join(a);
    let again = split(words);
    let mut same = true;
    let mut j = 0;
    while j < 9 {
        same &= a[j] == again[j];
        j += 1;
    }
    same && super::words::is_below_modulus::<M>(words)
}

/// Of the differences' union, which the compiler must not see through: it would compare limb by limb and leave at the first that differs.
pub(super) fn eq(a: Limbs, b: Limbs) -> bool {
    let mut differences = 0;
    for (a, b) in a.iter().zip(&b) {
        differences |= a ^ b;
    }
    core::hint::black_box(differences) == 0
}

pub(super) const fn add<M: Modulus>(a: Limbs, b: Limbs) -> Limbs {
    let mut sum = [0; 9];
    let mut j = 0;
    while j < 9 {
        sum[j] = a[j] as i64 + b[j] as i64 - Constants::<M>::P[j] as i64;
        j += 1;
    }
    settled::<M>(sum)
}

pub(super) const fn sub<M: Modulus>(a: Limbs, b: Limbs) -> Limbs {
    let mut difference = [0; 9];
    let mut j = 0;
    while j < 9 {
        difference[j] = a[j] as i64 - b[j] as i64;
        j += 1;
    }
    settled::<M>(difference)
}

pub(super) const fn neg<M: Modulus>(a: Limbs) -> Limbs {
    sub::<M>(ZERO, a)
}

/// Limbs of a value below 2p, made canonical.
#[inline(never)]
const fn below_modulus<M: Modulus>(value: &Limbs) -> Limbs {
    add::<M>(*value, ZERO)
}

/// The limbs of a value in [-p, p), whose last carry has its sign, and p if it is negative.
///
/// p is chosen by products: the upper half of the carry is 0 or 2^32 - 1, and (P + 1) (2^32 - 1) / 2^32 is P, rounded down. Of a mask that is 0
/// or all ones LLVM knows as much, and makes a branch of it where it has nine uses (rustc 1.95 did).
const fn settled<M: Modulus>(value: [i64; 9]) -> Limbs {
    let (_, top) = carried(value);
    let negative = top as u64 >> 32;
    let mut sum = value;
    let mut j = 0;
    while j < 9 {
        sum[j] += (((Constants::<M>::P[j] as u64 + 1) * negative) >> 32) as i64;
        j += 1;
    }
    let (limbs, top) = carried(sum);
    debug_assert!(top >= 0);
    debug_assert!(is_canonical::<M>(limbs));
    limbs
}

/// Carries up to the last limb, which is also given whole.
#[inline(always)]
const fn carried(value: [i64; 9]) -> (Limbs, i64) {
    let mut limbs = [0; 9];
    let mut sum = 0;
    let mut j = 0;
    while j < 8 {
        sum += value[j];
        limbs[j] = (sum & MASK as i64) as u32;
        sum >>= BITS;
        j += 1;
    }
    sum += value[8];
    limbs[8] = sum as u32;
    (limbs, sum)
}

/// a * b / R mod p, for limbs below 2^28 of a product below 2^28 R p, and last ones of 32 bits: Montgomery's product, operand scanning. For conversions and constants;
/// `columns.rs` has the product that arithmetic uses.
///
/// A column gathers at most 9 products of two limbs and 8 of q and one of p's, and a carry, before it is the lowest.
const fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let p = &Constants::<M>::P;
    let mut t = [0; 9];
    let mut step = 0;
    while step < 10 {
        if step < 9 {
            let mut j = 0;
            while j < 9 {
                t[j] += a[j] as u64 * b[step] as u64;
                j += 1;
            }
        }
        let q = t[0].wrapping_neg() & MASK;
        let carry = (t[0] + MASK) >> BITS;
        let mut j = 1;
        while j < 9 {
            t[j - 1] = t[j] + q * p[j] as u64;
            j += 1;
        }
        t[8] = 0;
        t[0] += carry;
        step += 1;
    }
    let mut value = [0; 9];
    let mut carry = 0;
    let mut j = 0;
    while j < 8 {
        let sum = t[j] + carry;
        value[j] = (sum & MASK) as u32;
        carry = sum >> BITS;
        j += 1;
    }
    value[8] = (t[8] + carry) as u32;
    below_modulus::<M>(&value)
}
