//! Every operation against big integers, on limbs that are as large as each may be.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use super::columns::{self, Narrow, WIDE_ZERO};
use super::{
    add, from_words, from_words_at_run_time, is_canonical, join, mul, neg, split, sub, to_words, to_words_at_run_time,
    Constants, Limbs, ZERO,
};
use crate::field::arithmetic::Arithmetic;
use crate::field::modulus::sealed::Modulus;
use crate::field::tests::{integer, limbs, sum, value, words};
use crate::field::Bn254;
use num_bigint::BigUint;
use std::vec::Vec;

const FULL: u32 = (1 << 28) - 1;

/// Integers below p: the smallest, the largest, and some of all sizes.
fn canonical<M: Modulus>() -> Vec<BigUint> {
    let p = integer(&M::P);
    let mut values: Vec<BigUint> = [0u32, 1, 2].map(BigUint::from).to_vec();
    values.extend([1u32, 2].map(|below| &p - below));
    values.push(integer(&[u64::MAX, u64::MAX, u64::MAX, M::P[3] - 1]));
    let mut power = BigUint::from(3u32);
    for _ in 0..40 {
        power = power.pow(3) % &p;
        values.push(power.clone());
        values.push(&power >> (power.bits() / 2));
    }
    values
}

/// What kept values may be: limbs of all ones, and the last one at its most.
fn kept<M: Modulus>() -> Vec<Limbs> {
    let top = Constants::<M>::P[8];
    let largest = [FULL, FULL, FULL, FULL, FULL, FULL, FULL, FULL, top + (top >> 20) + 3];
    let mut all: Vec<Limbs> = canonical::<M>().iter().map(limbs).collect();
    all.extend([largest, Constants::<M>::P]);
    all.extend((0..9).map(|limb| {
        let mut one = ZERO;
        one[limb] = largest[limb];
        one
    }));
    all
}

fn check<M: Modulus>() {
    let p = integer(&M::P);
    let radix = BigUint::from(1u32) << 280u32;
    let inverse = radix.modinv(&p).expect("p is odd");
    let values = canonical::<M>();

    for a in &values {
        let x = limbs(a);
        assert!(is_canonical::<M>(x));
        assert_eq!(integer(&join(x)), *a);
        assert_eq!(split(words(a)), x);
        assert_eq!(value(&neg::<M>(x)), (&p - a) % &p);
        assert_eq!(integer(&to_words::<M>(x)), a * &inverse % &p);
        assert_eq!(to_words_at_run_time::<M>(x), to_words::<M>(x));
        for b in &values {
            let y = limbs(b);
            assert_eq!(value(&add::<M>(x, y)), (a + b) % &p);
            assert_eq!(value(&sub::<M>(x, y)), (&p + a - b) % &p);
            assert_eq!(value(&mul::<M>(&x, &y)), a * b * &inverse % &p);
        }
    }
    for wide in [[u64::MAX; 4], M::P, [0, 0, 0, u64::MAX], [u64::MAX, 0, 0, 0]] {
        assert_eq!(value(&from_words::<M>(wide)), integer(&wide) * &radix % &p);
        assert_eq!(from_words_at_run_time::<M>(wide), from_words::<M>(wide));
    }
    let p_itself = limbs(&p);
    assert!(!is_canonical::<M>(p_itself) && !is_canonical::<M>([1 << 28, 0, 0, 0, 0, 0, 0, 0, 0]));

    let kept = kept::<M>();
    for a in &kept {
        assert_eq!(value(&<Narrow as Arithmetic<M>>::from_kept(*a)), value(a) % &p);
        let mut squared = ZERO;
        <Narrow as Arithmetic<M>>::square(a, &mut squared);
        assert_eq!(value(&squared) % &p, value(a).pow(2) * &inverse % &p);
        assert!(value(&squared) <= &p + (&p >> 20u32));
        for b in &kept {
            let exact = value(a) + value(b);
            let mut kept_sum = *a;
            <Narrow as Arithmetic<M>>::add(&mut kept_sum, b);
            assert_eq!(value(&kept_sum) % &p, &exact % &p);
            assert!(value(&kept_sum) < &p + (&p >> 19u32), "{a:?} {b:?}");

            // Limb by limb, which is a factor as it is.
            let mut limb_sum = ZERO;
            columns::add(&mut limb_sum, a, b);
            assert_eq!(value(&limb_sum), exact);
            let mut product = WIDE_ZERO;
            <Narrow as Arithmetic<M>>::add_product(&mut product, &limb_sum, &limb_sum);
            assert_eq!(sum(&product), exact.pow(2));
            let mut pair = WIDE_ZERO;
            <Narrow as Arithmetic<M>>::add_pair(&mut pair, (a, b), (b, a));
            assert_eq!(sum(&pair), exact.pow(2));
            <Narrow as Arithmetic<M>>::square(&limb_sum, &mut squared);
            assert_eq!(value(&squared) % &p, exact.pow(2) * &inverse % &p);
            let mut tenfold = ZERO;
            <Narrow as Arithmetic<M>>::small_multiple::<10>(&limb_sum, &mut tenfold);
            assert_eq!(value(&tenfold) % &p, exact * 10u32 % &p);
            assert!(value(&tenfold) < &p + (&p >> 19u32));
        }
    }

    // Columns up to where the reduction's own products and its carry still fit below 2^64.
    let steps = (1u64 << 28) - 1;
    let most = u64::MAX - 7 * steps * steps - steps * u64::from(Constants::<M>::P[8]) - (1 << 37);
    for columns in [[most; 18], [steps; 18], [0; 18], [1; 18]] {
        // The last column alone decides whether the result fits.
        let mut columns = columns;
        columns[17] = columns[17].min(1 << 50);
        columns[16] = columns[16].min(1 << 60);
        let mut reduced = ZERO;
        <Narrow as Arithmetic<M>>::reduce(&columns, &mut reduced);
        assert_eq!(value(&reduced) % &p, sum(&columns) * &inverse % &p);
        assert!(reduced[..8].iter().all(|&limb| limb <= FULL));
    }

    // Sums are modulo 2^64 in each column: what is taken from one may be put back.
    let mut total = WIDE_ZERO;
    let large = [u32::MAX; 9];
    let mut taken = WIDE_ZERO;
    for _ in 0..20 {
        <Narrow as Arithmetic<M>>::add_product(&mut total, &large, &large);
        <Narrow as Arithmetic<M>>::add_product(&mut taken, &large, &large);
    }
    <Narrow as Arithmetic<M>>::add_product(&mut total, &kept[3], &kept[4]);
    columns::wide_sub(&mut total, &taken);
    assert_eq!(sum(&total), value(&kept[3]) * value(&kept[4]));
    let begun = <Narrow as Arithmetic<M>>::begin_less(&kept[3], &total);
    let mut ended = begun;
    columns::wide_add(&mut ended, &total);
    assert_eq!(sum(&ended), value(&kept[3]));
}

#[test]
fn against_big_integers() {
    check::<Bn254>();
    #[cfg(feature = "bls12-381")]
    check::<crate::field::Bls12_381>();
}
