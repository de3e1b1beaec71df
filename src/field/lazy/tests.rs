//! The same assertions for every back end, against big integers.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use super::{multiple, Lazy, Limbs, Portable, Wide};
use crate::field::modulus::sealed::Modulus;
use crate::field::tests::{integer, modulus, words};
use crate::field::Bn254;
use num_bigint::BigUint;
use std::{println, vec, vec::Vec};

/// A generator good enough for operands (SplitMix64).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Words, half of them random, the others small or all ones: carries run far.
    fn words<const N: usize>(&mut self) -> [u64; N] {
        std::array::from_fn(|_| match self.word() % 8 {
            0 => self.word() % 3,
            1..=3 => u64::MAX,
            _ => self.word(),
        })
    }
}

fn operands<M: Modulus>() -> Vec<Limbs> {
    let p = integer(&M::P);
    let whole = BigUint::from(1u32) << 256u32;
    let mut operands: Vec<Limbs> = vec![[0; 4], [1, 0, 0, 0], [u64::MAX; 4]];
    for k in (1..=5u32).take_while(|k| &p * k + 1u32 < whole) {
        operands.extend([&p * k - 1u32, &p * k, &p * k + 1u32].map(|value| words(&value)));
    }
    let mut random = Random(1);
    operands.extend((0..60).map(|_| random.words()));
    operands
}

fn check<M: Modulus, B: Lazy<M>>() {
    let p = integer(&M::P);
    let radix = BigUint::from(1u32) << 256u32;
    let whole = BigUint::from(1u32) << 512u32;
    let operands = operands::<M>();
    let mut random = Random(2);
    for a in &operands {
        assert_eq!(integer(&B::square(a)), integer(a).pow(2));
        for b in &operands {
            let product = integer(a) * integer(b);
            assert_eq!(integer(&B::mul(a, b)), product);
            let start: Wide = random.words();
            let mut sum = start;
            B::add_product(&mut sum, a, b);
            assert_eq!(integer(&sum), (integer(&start) + product) % &whole);
        }
    }

    // A row's two carries, to the top: each limb of the first factor alone.
    for limb in 0..4 {
        for start in [[0, 0, 0, u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0], [u64::MAX; 8]] {
            for b in [[0, 0, 0, 1], [u64::MAX; 4], [1, 0, 0, 0]] {
                let mut a = [0; 4];
                a[limb] = 1;
                let mut sum: Wide = start;
                B::add_product(&mut sum, &a, &b);
                assert_eq!(integer(&sum), (integer(&start) + integer(&a) * integer(&b)) % &whole);
            }
        }
    }

    // Reduction, up to the largest sum that it may be given.
    let inverse_2_64 = (BigUint::from(1u32) << 64u32).modinv(&p).expect("p is odd");
    for (sooner, slack) in [(false, &p + (&p >> 60u32)), (true, &p + (&p >> 60u32) + inverse_2_64)] {
        let largest = (&radix - &slack) * &radix - 1u32;
        let mut sums = vec![BigUint::default(), largest.clone(), BigUint::from(1u32), &radix - 1u32, radix.clone()];
        sums.push(&largest >> 1u32);
        sums.push(&largest - (&radix - 1u32));
        sums.extend((0..2000).map(|_| integer(&random.words::<8>()) % &largest));
        // Carries that a row's last words pass on to the top.
        let m = u64::MAX;
        let negative_p0 = M::P[0].wrapping_neg();
        sums.push(integer(&[1, 0, m, m, m, m, m, 1]));
        sums.push(integer(&[0, 1, m, m, m, m, m, 1]));
        sums.push(integer(&[0, 0, negative_p0, m, m, m, m, 1]));
        sums.push(integer(&[0, 0, 0, negative_p0, m, m, m, 1]));
        for sum in sums {
            let result = integer(&if sooner { B::reduce_sooner(&words(&sum)) } else { B::reduce(&words(&sum)) });
            assert_eq!((&result << 256u32) % &p, &sum % &p, "{sum}");
            assert!(result < (&sum >> 256u32) + 1u32 + &slack, "{sum}");
        }
    }

    for value in &operands {
        let exact = integer(value);
        for bound in &operands {
            let bound_integer = integer(bound);
            let expected = if exact < bound_integer { exact.clone() } else { &exact - &bound_integer };
            assert_eq!(integer(&B::subtract_unless_below(*value, bound)), expected);
        }
        assert_eq!(integer(&B::canonical::<3>(*value)), &exact % &p);
        if exact < &p * 4u32 {
            assert_eq!(integer(&B::canonical::<2>(*value)), &exact % &p);
        }
        if exact < &p * 2u32 {
            assert_eq!(integer(&B::canonical::<1>(*value)), &exact % &p);
        }
    }
}

#[test]
fn portable() {
    check::<Bn254, Portable>();
    #[cfg(feature = "bls12-381")]
    check::<crate::field::Bls12_381, Portable>();
}

#[cfg(const_poseidon_adx)]
#[test]
fn adx() {
    if crate::field::backend::has_adx() {
        check::<Bn254, super::Adx>();
        #[cfg(feature = "bls12-381")]
        check::<crate::field::Bls12_381, super::Adx>();
    } else {
        println!("this processor has no ADX: its back end was not run");
    }
}

#[test]
fn wide_sums() {
    let whole = BigUint::from(1u32) << 512u32;
    let mut random = Random(3);
    for _ in 0..1000 {
        let (a, b): (Wide, Wide) = (random.words(), random.words());
        let (mut sum, mut difference) = (a, a);
        super::wide_add(&mut sum, &b);
        super::wide_sub(&mut difference, &b);
        assert_eq!(integer(&sum), (integer(&a) + integer(&b)) % &whole);
        assert_eq!(integer(&difference), (&whole + integer(&a) - integer(&b)) % &whole);
    }
}

#[test]
fn multiples() {
    let p = modulus();
    for doublings in 0..3u32 {
        assert_eq!(integer(&multiple::<Bn254>(doublings)), &p << doublings);
    }
    assert_eq!(multiple::<Bn254>(3), [0; 4], "8p passes 2^256");
}
