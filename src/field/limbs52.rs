//! Five 52-bit limbs, least significant first, for the multiply-add of AVX-512 IFMA: an element in each slot of a vector. R = 2^260, which
//! is 84 p for BN254, so that nothing here needs a last subtraction.
//!
//! Products see the low 52 bits of a limb alone. *Carried* limbs are right in those: what was above moved on into the next limb,
//! and may still stand where it was. *Clean* limbs have nothing above.
//!
//! A sum of products has ten limbs, which are not carried while it grows: a product adds at most ten values below 2^52 to a
//! limb, and a slot takes 4096. Bounds are in units of p.

#![allow(clippy::needless_range_loop, reason = "limbs and registers by number, of several arrays at once")]

use super::modulus::sealed::Modulus;
use super::vector::Vector;
use super::words::Words;

const LOW: u64 = (1 << 52) - 1;

/// An element in each slot.
pub(crate) type Limbs<V> = [V; 5];

/// A sum of products in each slot.
pub(crate) type Sum<V> = [V; 10];

/// How many values below 2^52 a limb of a sum takes, with sixteen to spare for what a reduction adds.
pub(crate) const SUM_TAKES: usize = (1 << 12) - 16;

/// How many a product adds at most.
pub(crate) const PRODUCT_ADDS: usize = 10;

/// The clean limbs of an integer.
pub(crate) const fn split(words: Words) -> [u64; 5] {
    let [a, b, c, d] = words;
    [a & LOW, (a >> 52 | b << 12) & LOW, (b >> 40 | c << 24) & LOW, (c >> 28 | d << 36) & LOW, d >> 16]
}

/// The integer below 2^256 whose carried limbs these are.
pub(crate) const fn join(limbs: [u64; 5]) -> Words {
    let [a, b, c, d, e] = [limbs[0] & LOW, limbs[1] & LOW, limbs[2] & LOW, limbs[3] & LOW, limbs[4] & LOW];
    [a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16]
}

/// As [`split`], of one integer, into every slot, carried.
#[inline(always)]
pub(crate) fn splat_words<V: Vector>(words: &Words) -> Limbs<V> {
    let (a, b, c, d) = (V::splat(words[0]), V::splat(words[1]), V::splat(words[2]), V::splat(words[3]));
    [
        a,
        a.shift_right::<52>().or(b.shift_left::<12>()),
        b.shift_right::<40>().or(c.shift_left::<24>()),
        c.shift_right::<28>().or(d.shift_left::<36>()),
        d.shift_right::<16>(),
    ]
}

/// As [`join`], of slot 0's clean limbs.
#[inline(always)]
pub(crate) fn first_words<V: Vector<Words = [u64; 4]>>(limbs: &Limbs<V>) -> Words {
    let [a, b, c, d, e] = *limbs;
    [
        a.or(b.shift_left::<52>()).store()[0],
        b.shift_right::<12>().or(c.shift_left::<40>()).store()[0],
        c.shift_right::<24>().or(d.shift_left::<28>()).store()[0],
        d.shift_right::<36>().or(e.shift_left::<16>()).store()[0],
    ]
}

/// Constants that follow from a modulus.
struct Constants<M>(M);

impl<M: Modulus> Constants<M> {
    const P: [u64; 5] = split(M::P);

    /// -1/p mod 2^52.
    const INVERSE: u64 = super::limbs64::Constants::<M>::INVERSE & LOW;

    /// 2^(52 i - 208) mod p for i from 0 to 3.
    const FOLDS: [[u64; 5]; 4] = [
        split(super::words::halved::<M>(208)),
        split(super::words::halved::<M>(156)),
        split(super::words::halved::<M>(104)),
        split(super::words::halved::<M>(52)),
    ];
}

/// Carries: what is above 52 bits of a limb goes into the next, and stands where it was as well.
#[inline(always)]
pub(crate) fn carry<V: Vector>(limbs: &mut Limbs<V>) {
    for i in 0..4 {
        limbs[i + 1] = limbs[i + 1].add(limbs[i].shift_right::<52>());
    }
}

/// From a * 2^256 to a * 2^260, which products of two keep: below 5.1 for x below 7.
#[inline(always)]
pub(crate) fn to_r<M: Modulus, V: Vector>(x: &Limbs<V>) -> Limbs<V> {
    reduce::<M, V>(multiply(x, &splat_words(&const { super::words::doubled::<M>(264) })))
}

/// The inverse of [`to_r`].
#[inline(always)]
pub(crate) fn from_r<M: Modulus, V: Vector>(x: &Limbs<V>) -> Limbs<V> {
    reduce::<M, V>(multiply(x, &splat_words(&const { super::words::doubled::<M>(256) })))
}

#[inline(always)]
pub(crate) fn zero<V: Vector, const LIMBS: usize>() -> [V; LIMBS] {
    [V::splat(0); LIMBS]
}

/// sum + a * b.
#[inline(always)]
pub(crate) fn add_product<V: Vector>(sum: &mut Sum<V>, a: &Limbs<V>, b: &Limbs<V>) {
    for i in 0..5 {
        for j in 0..5 {
            sum[i + j] = sum[i + j].add_low(a[i], b[j]);
        }
        for j in 0..5 {
            sum[i + j + 1] = sum[i + j + 1].add_high(a[i], b[j]);
        }
    }
}

/// a * b, in two sums until the end, so that less waits for less.
#[inline(always)]
pub(crate) fn multiply<V: Vector>(a: &Limbs<V>, b: &Limbs<V>) -> Sum<V> {
    let (mut low, mut high): (Sum<V>, Sum<V>) = (zero(), zero());
    for i in 0..5 {
        for j in 0..5 {
            low[i + j] = low[i + j].add_low(a[i], b[j]);
            high[i + j + 1] = high[i + j + 1].add_high(a[i], b[j]);
        }
    }
    for k in 0..10 {
        low[k] = low[k].add(high[k]);
    }
    low
}

/// a * a: the products of different limbs once, doubled.
#[inline(always)]
pub(crate) fn square<V: Vector>(a: &Limbs<V>) -> Sum<V> {
    let (mut low, mut high): (Sum<V>, Sum<V>) = (zero(), zero());
    for i in 0..5 {
        for j in i + 1..5 {
            low[i + j] = low[i + j].add_low(a[i], a[j]);
            high[i + j + 1] = high[i + j + 1].add_high(a[i], a[j]);
        }
    }
    for k in 0..10 {
        let different = low[k].add(high[k]);
        let doubled = different.add(different);
        let a = a[k / 2];
        low[k] = if k % 2 == 0 { doubled.add_low(a, a) } else { doubled.add_high(a, a) };
    }
    low
}

/// T / R modulo p, carried, below T / R + 5.01: limbs 0 to 3 of T go together, by their powers of two modulo p, and one limb by the
/// textbook. For T / R + 5.01 p below 2^260, as all that comes here is by far.
///
/// ```text
/// U = T / 2^208 + sum of t[i] (2^(52 i - 208) mod p)  <  T / 2^208 + 4 * 2^52 p
/// (U + q p) / 2^52                                     <  T / 2^260 + 4 p + p
/// ```
#[inline(always)]
pub(crate) fn reduce<M: Modulus, V: Vector>(mut sum: Sum<V>) -> Limbs<V> {
    for i in 0..4 {
        sum[i + 1] = sum[i + 1].add(sum[i].shift_right::<52>());
    }
    let mut high: [V; 6] = zero();
    for j in 0..5 {
        for i in 0..4 {
            let fold = V::splat(Constants::<M>::FOLDS[i][j]);
            sum[4 + j] = sum[4 + j].add_low(sum[i], fold);
            high[1 + j] = high[1 + j].add_high(sum[i], fold);
        }
    }
    let q = V::splat(0).add_low(sum[4], V::splat(Constants::<M>::INVERSE));
    let gone = sum[4].add_low(q, V::splat(Constants::<M>::P[0]));
    let mut limbs: Limbs<V> = zero();
    for j in 0..5 {
        let mut limb = high[1 + j].add_high(q, V::splat(Constants::<M>::P[j]));
        if j < 4 {
            limb = limb.add_low(q, V::splat(Constants::<M>::P[j + 1]));
        }
        limbs[j] = limb.add(sum[5 + j]);
    }
    limbs[0] = limbs[0].add(gone.shift_right::<52>());
    carry(&mut limbs);
    limbs
}

/// T / R modulo p, clean, below T / R + 1: limb after limb by the textbook, which takes longer.
#[inline(always)]
pub(crate) fn reduce_further<M: Modulus, V: Vector>(mut sum: Sum<V>) -> Limbs<V> {
    for i in 0..5 {
        let q = V::splat(0).add_low(sum[i], V::splat(Constants::<M>::INVERSE));
        let gone = sum[i].add_low(q, V::splat(Constants::<M>::P[0]));
        for j in 1..5 {
            sum[i + j] = sum[i + j].add_low(q, V::splat(Constants::<M>::P[j]));
        }
        let carry = gone.shift_right::<52>().add_high(q, V::splat(Constants::<M>::P[0]));
        sum[i + 1] = sum[i + 1].add(carry);
        for j in 1..5 {
            sum[i + j + 1] = sum[i + j + 1].add_high(q, V::splat(Constants::<M>::P[j]));
        }
    }
    let [_, _, _, _, _, mut limbs @ ..] = sum;
    for i in 0..4 {
        limbs[i + 1] = limbs[i + 1].add(limbs[i].shift_right::<52>());
        limbs[i] = limbs[i].and(V::splat(LOW));
    }
    limbs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::tests::{modulus, words};
    use crate::field::vector::model::Four;
    use crate::field::Bn254;
    use num_bigint::BigUint;
    use std::vec::Vec;

    fn value<const LIMBS: usize>(limbs: &[Four; LIMBS], slot: usize) -> BigUint {
        limbs.iter().rev().fold(BigUint::ZERO, |sum, limb| (sum << 52u32) + limb.store()[slot])
    }

    /// Of carried limbs.
    fn carried(limbs: &Limbs<Four>, slot: usize) -> BigUint {
        limbs.iter().rev().fold(BigUint::ZERO, |sum, limb| (sum << 52u32) + (limb.store()[slot] & LOW))
    }

    fn limbs(value: &BigUint) -> [u64; 5] {
        let mut limbs = [0; 5];
        let digits: Vec<u64> =
            (0..5u32).map(|i| u64::try_from((value >> (52 * i)) & BigUint::from(LOW)).unwrap_or(0)).collect();
        limbs.copy_from_slice(&digits);
        limbs
    }

    /// A number in each slot.
    fn vector(values: &[BigUint; 4]) -> Limbs<Four> {
        let limbs = [limbs(&values[0]), limbs(&values[1]), limbs(&values[2]), limbs(&values[3])];
        core::array::from_fn(|i| Four::load(&[limbs[0][i], limbs[1][i], limbs[2][i], limbs[3][i]]))
    }

    fn samples() -> Vec<BigUint> {
        let p = modulus();
        let top = BigUint::from(1u32) << 260u32;
        let mut samples: Vec<BigUint> = [0u32, 1, 2].iter().map(|&x| BigUint::from(x)).collect();
        samples.extend([&p - 1u32, p.clone(), &p + 1u32, &p * 5u32, &top - 1u32, &top - &p, &top >> 1u32]);
        // Limbs of all ones beside zeros, so that one limb's carry cannot hide in another's.
        samples.extend((0..5u32).map(|i| BigUint::from(LOW) << (52 * i)));
        let mut x = BigUint::from(3u32);
        samples.extend((0..20).map(|_| {
            x = &x * &x * 7u32 % &top;
            x.clone()
        }));
        samples
    }

    #[test]
    fn products_and_reductions_are_right_in_every_slot() {
        let p = modulus();
        let inverse = (BigUint::from(1u32) << 260u32).modinv(&p).unwrap_or_default();
        let samples = samples();
        for (i, a) in samples.iter().enumerate() {
            for (j, b) in samples.iter().enumerate() {
                let pick = |k: usize| samples[k % samples.len()].clone();
                let left = [a.clone(), pick(i + 1), pick(i + 7), pick(i + 3)];
                let right = [b.clone(), pick(j + 5), pick(j + 2), pick(j + 11)];
                let (x, y) = (vector(&left), vector(&right));
                let (product, squared) = (multiply(&x, &y), square(&x));
                let mut sum = product;
                add_product(&mut sum, &x, &y);
                let (short, long) = (reduce::<Bn254, _>(product), reduce_further::<Bn254, _>(product));
                for slot in 0..4 {
                    let exact = &left[slot] * &right[slot];
                    assert_eq!(value(&product, slot), exact);
                    assert_eq!(value(&sum, slot), &exact * 2u32);
                    assert_eq!(value(&squared, slot), &left[slot] * &left[slot]);
                    let residue = &exact * &inverse % &p;
                    let scaled = &exact >> 260u32;
                    let (short, long) = (carried(&short, slot), value(&long, slot));
                    // T / R + 5.01 may pass 2^260 for operands near it; that is beyond what is asked of `reduce`.
                    if left[slot].bits() + right[slot].bits() < 519 {
                        assert_eq!(&short % &p, residue);
                        assert!(short <= &scaled + &p * 501u32 / 100u32);
                    }
                    if left[slot].bits() + right[slot].bits() < 519 {
                        assert_eq!(&long % &p, residue);
                        assert!(long <= &scaled + &p);
                    }
                }
            }
        }
    }

    /// Limbs of a sum as large as ever: SUM_TAKES values below 2^52 in each, which the model's slots must hold to the end.
    #[test]
    fn a_sum_takes_what_it_is_said_to() {
        let p = modulus();
        let inverse = (BigUint::from(1u32) << 260u32).modinv(&p).unwrap_or_default();
        // The top limb alone is small, as T stays below 2^520.
        let mut sum = [Four::splat(LOW * u64::try_from(SUM_TAKES).unwrap_or(0)); 10];
        sum[9] = Four::splat(1 << 38);
        let exact = value(&sum, 0);
        assert_eq!(carried(&reduce::<Bn254, _>(sum), 0) % &p, &exact * &inverse % &p);
        assert_eq!(value(&reduce_further::<Bn254, _>(sum), 0) % &p, &exact * &inverse % &p);
    }

    #[test]
    fn limbs_and_words_are_each_other() {
        for sample in samples() {
            let sample = sample % (BigUint::from(1u32) << 256u32);
            let four = words(&sample);
            assert_eq!(split(four), limbs(&sample));
            assert_eq!(join(split(four)), four);
            assert_eq!(join(split(four).map(|limb| limb | 5 << 52)), four);
            let splatted = splat_words::<Four>(&four);
            for slot in 0..4 {
                assert_eq!(carried(&splatted, slot), sample);
            }
            assert_eq!(first_words(&split(four).map(Four::splat)), four);
        }
    }
}
