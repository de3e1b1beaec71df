//! Values for tests: random ones, and the ones where carries, borrows and bounds are.

use crate::reference::modulus;
use const_poseidon::Fr;
use num_bigint::BigUint;
use proptest::prelude::*;

/// The integer of an element.
pub fn integer(element: Fr) -> BigUint {
    BigUint::from_bytes_be(&element.to_bytes_be())
}

/// The element of an integer, reduced.
pub fn element(integer: &BigUint) -> Fr {
    let mut bytes = [0; 32];
    let digits = (integer % modulus()).to_bytes_le();
    bytes[..digits.len()].copy_from_slice(&digits);
    Fr::from_bytes_le(&bytes).expect("reduced")
}

/// 0, 1, 2, p - 1, p - 2, the neighbours of (p - 1) / 2, powers of two, words of all ones, and the elements whose
/// Montgomery form (a * 2^256, or a * 2^261) is one of those.
pub fn extremes() -> Vec<Fr> {
    let p = modulus();
    let one = BigUint::from(1u32);
    let mut integers: Vec<BigUint> =
        vec![0u32.into(), 1u32.into(), 2u32.into(), p - 1u32, p - 2u32, p / 2u32, p / 2u32 + 1u32];
    for bits in [1, 29, 32, 58, 63, 64, 65, 127, 128, 129, 191, 192, 193, 252, 253] {
        integers.push(&one << bits);
        integers.push((&one << bits) - 1u32);
    }
    // Low words all ones below p's top word, and p with its low words replaced by ones or zeros.
    for words in 1..4 {
        let low = (&one << (64 * words)) - 1u32;
        integers.push((((p >> (64 * words)) - 1u32) << (64 * words)) + &low);
        integers.push((p >> (64 * words)) << (64 * words));
    }
    let mut all = integers.clone();
    for shift in [256u32, 261] {
        let inverse = (&one << shift).modinv(p).expect("p is odd");
        all.extend(integers.iter().map(|integer| integer * &inverse % p));
    }
    all.iter().map(element).collect()
}

/// Random elements, one in eight of them extreme.
pub fn any_element() -> impl Strategy<Value = Fr> {
    prop_oneof![
        7 => any::<[u8; 32]>().prop_map(|bytes| Fr::from_bytes_le_mod_order(&bytes)),
        1 => proptest::sample::select(extremes()),
    ]
}
