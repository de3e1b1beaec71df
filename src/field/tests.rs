//! Limbs and sums as big integers, for the tests of what computes with them.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use super::arithmetic::{Limbs, Wide};
use super::modulus::sealed::Modulus;
use super::Bn254;
use num_bigint::BigUint;

/// Montgomery's R is 2 to this.
pub(crate) const RADIX_BITS: u32 = if cfg!(const_poseidon_narrow) { 280 } else { 256 };
/// A limb's place is 2 to this above the one before it.
const LIMB_BITS: u32 = if cfg!(const_poseidon_narrow) { 28 } else { 64 };

pub(crate) fn modulus() -> BigUint {
    integer(&Bn254::P)
}

/// Of 64-bit words.
pub(crate) fn integer(words: &[u64]) -> BigUint {
    places(words, 64)
}

/// The integer in 64-bit words, which must be enough.
pub(crate) fn words<const N: usize>(integer: &BigUint) -> [u64; N] {
    let mut digits = integer.to_u64_digits();
    digits.resize(N, 0);
    digits.try_into().expect("it fits")
}

/// What limbs stand for, whatever each of them is.
pub(crate) fn value(limbs: &Limbs) -> BigUint {
    places(&limbs.map(Into::into), LIMB_BITS)
}

/// What a sum stands for.
pub(crate) fn sum(sum: &Wide) -> BigUint {
    places(sum, LIMB_BITS)
}

fn places(limbs: &[u64], bits: u32) -> BigUint {
    limbs.iter().rev().fold(BigUint::default(), |sum, &limb| (sum << bits) + limb)
}

/// The limbs of an integer, which must fit: those below the last one as small as they can be.
pub(crate) fn limbs(integer: &BigUint) -> Limbs {
    let mut limbs = Limbs::default();
    let last = limbs.len() - 1;
    let mut rest = integer.clone();
    for (place, limb) in limbs.iter_mut().enumerate() {
        let low = if place == last { rest.clone() } else { &rest % (BigUint::from(1u32) << LIMB_BITS) };
        *limb = low.try_into().expect("it fits");
        rest >>= LIMB_BITS;
    }
    limbs
}

/// What an additive constant is in a sum, given as the tables hold it.
pub(crate) fn additive(constant: &BigUint) -> BigUint {
    if cfg!(const_poseidon_narrow) {
        constant.clone()
    } else {
        constant << RADIX_BITS
    }
}

#[test]
fn the_backend_is_one_of_those_named() {
    let name = crate::backend();
    assert!(["portable", "narrow", "adx", "ifma", "model"].contains(&name));
    std::println!("back end: {name}");
}
