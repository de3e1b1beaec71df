//! `Fr` against ark-ff and num-bigint.

use crate::reference::modulus;
use crate::samples::{any_element, element, extremes, integer};
use ark_ff::{BigInteger, Field, PrimeField};
use const_poseidon::field::ParseError;
use const_poseidon::{Error, Fr};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn to_ark(element: Fr) -> ark_bn254::Fr {
    ark_bn254::Fr::from_be_bytes_mod_order(&element.to_bytes_be())
}

fn assert_equal(ours: Fr, theirs: ark_bn254::Fr, what: &str) {
    assert_eq!(ours.to_bytes_le()[..], theirs.into_bigint().to_bytes_le(), "{what}");
    assert_eq!(Fr::from_bytes_le(&ours.to_bytes_le()), Ok(ours), "{what}: canonical");
    #[cfg(feature = "ark")]
    {
        assert_eq!(ark_bn254::Fr::from(ours), theirs, "{what}: to ark");
        assert_eq!(Fr::from(theirs), ours, "{what}: from ark");
    }
    #[cfg(feature = "ark-0-5")]
    {
        use ark_ff_0_5::PrimeField as _;
        let theirs = ark_bn254_0_5::Fr::from_be_bytes_mod_order(&ours.to_bytes_be());
        assert_eq!(ark_bn254_0_5::Fr::from(ours), theirs, "{what}: to ark 0.5");
        assert_eq!(Fr::from(theirs), ours, "{what}: from ark 0.5");
    }
}

fn check_arithmetic(a: Fr, b: Fr) {
    let (ark_a, ark_b) = (to_ark(a), to_ark(b));
    assert_equal(a, ark_a, "a");
    assert_equal(a + b, ark_a + ark_b, "a + b");
    assert_equal(a - b, ark_a - ark_b, "a - b");
    assert_equal(a * b, ark_a * ark_b, "a * b");
    assert_equal(-a, -ark_a, "-a");
    assert_equal(a.square(), ark_a.square(), "a^2");
    assert_equal(a.pow5(), ark_a.pow([5]), "a^5");
    let mut c = a;
    c += b;
    c -= a;
    assert_eq!(c, b);
    c *= a;
    assert_eq!(c, a * b);
    assert_eq!(a == b, ark_a == ark_b);
    let hash = |value: Fr| BuildHasherDefault::<DefaultHasher>::default().hash_one(value);
    assert_eq!(hash(a), hash(a + b - b));
    assert_eq!(hash(a) == hash(b), a == b);
}

fn check_text(a: Fr) {
    let value = integer(a);
    assert_eq!(a.to_string(), value.to_string());
    assert_eq!(format!("{a:?}"), format!("0x{value:064x}"));
    assert_eq!(format!("{a:>80}|{a:<80}|{a:080}"), format!("{value:>80}|{value:<80}|{value:080}"));
    assert_eq!(value.to_string().parse(), Ok(a));
    assert_eq!(format!("{value:#x}").parse(), Ok(a));
    assert_eq!(format!("0x{value:X}").parse(), Ok(a));
    assert_eq!(format!("{value:077}").parse(), Ok(a));
    assert_eq!(format!("0x{value:064x}").parse(), Ok(a));
}

#[test]
fn extremes_in_pairs() {
    let extremes = extremes();
    for &a in &extremes {
        check_text(a);
        for &b in &extremes {
            check_arithmetic(a, b);
        }
    }
    assert!(extremes.len() > 100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_equals_ark(a in any_element(), b in any_element()) {
        check_arithmetic(a, b);
        check_text(a);
    }

    #[test]
    fn bytes_equal_big_integers(bytes: [u8; 32]) {
        let (be, le) = (BigUint::from_bytes_be(&bytes), BigUint::from_bytes_le(&bytes));
        let be_halves = Fr::split_bytes_be(&bytes);
        let le_halves = Fr::split_bytes_le(&bytes);
        for (value, strict, reduced, [high, low]) in [
            (be, Fr::from_bytes_be(&bytes), Fr::from_bytes_be_mod_order(&bytes), be_halves),
            (le, Fr::from_bytes_le(&bytes), Fr::from_bytes_le_mod_order(&bytes), le_halves),
        ] {
            prop_assert_eq!((integer(high) << 128u32) + integer(low), value.clone());
            prop_assert_eq!(reduced, element(&value));
            let below = value < *modulus();
            prop_assert_eq!(strict, if below { Ok(reduced) } else { Err(Error::NotBelowModulus { index: 0 }) });
            prop_assert_eq!(BigUint::from_bytes_be(&reduced.to_bytes_be()), &value % modulus());
            prop_assert_eq!(BigUint::from_bytes_le(&reduced.to_bytes_le()), &value % modulus());
        }
    }

    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "any smaller integer will do")]
    fn integers_equal_big_integers(small: u64, large: u128) {
        prop_assert_eq!(integer(Fr::from_u64(small)), small.into());
        prop_assert_eq!(Fr::from(small), Fr::from_u64(small));
        prop_assert_eq!(integer(Fr::from_u128(large)), large.into());
        prop_assert_eq!(Fr::from(large), Fr::from_u128(large));
        let (tiny, short, medium) = (small as u8, small as u16, small as u32);
        prop_assert_eq!(
            [Fr::from(tiny), Fr::from(short), Fr::from(medium), Fr::from(small & 1 == 1)],
            [u64::from(tiny), u64::from(short), u64::from(medium), small & 1].map(Fr::from_u64)
        );
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(0x)?[0-9a-fA-F_ +-]{0,80}") {
        match text.parse::<Fr>() {
            Ok(parsed) => {
                let value = match text.strip_prefix("0x") {
                    Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
                    None => BigUint::parse_bytes(text.as_bytes(), 10),
                };
                prop_assert_eq!(Some(integer(parsed)), value);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn every_multiple_of_the_modulus_is_reduced() {
    // 2^256 = 5.29 p: the values around each multiple, up to the largest 32 bytes.
    for multiple in 0..=5u32 {
        for offset in 0..3u32 {
            let value = modulus() * multiple + offset;
            let bytes: [u8; 32] = {
                let digits = value.to_bytes_le();
                let mut bytes = [0; 32];
                bytes[..digits.len()].copy_from_slice(&digits);
                bytes
            };
            assert_eq!(integer(Fr::from_bytes_le_mod_order(&bytes)), offset.into());
            assert_eq!(Fr::from_bytes_le(&bytes).is_ok(), multiple == 0);
        }
    }
    assert_eq!(integer(Fr::from_bytes_be_mod_order(&[0xff; 32])), ((BigUint::from(1u32) << 256u32) - 1u32) % modulus());
}

/// `new_unchecked` lets any limbs pass: the element is their value / 2^256 modulo p.
#[cfg(any(feature = "ark", feature = "ark-0-5"))]
#[test]
fn ark_elements_out_of_range_are_reduced() {
    let inverse = (BigUint::from(1u32) << 256u32).modinv(modulus()).expect("p is odd");
    let mut cases: Vec<BigUint> = (0..=5u32).flat_map(|k| [modulus() * k, modulus() * k + 1u32]).collect();
    cases.extend((1..=5u32).map(|k| modulus() * k - 1u32));
    cases.push((BigUint::from(1u32) << 256u32) - 1u32);
    for value in cases {
        let mut digits = value.to_u64_digits();
        digits.resize(4, 0);
        let limbs: [u64; 4] = digits.try_into().expect("four");
        let expected = element(&(&value * &inverse));
        #[cfg(feature = "ark")]
        assert_eq!(Fr::from(ark_bn254::Fr::new_unchecked(ark_ff::BigInt(limbs))), expected, "{value}");
        #[cfg(feature = "ark-0-5")]
        assert_eq!(Fr::from(ark_bn254_0_5::Fr::new_unchecked(ark_ff_0_5::BigInt(limbs))), expected, "{value}");
    }
}

#[test]
fn text_that_is_refused() {
    let refuse = |text: &str, error| assert_eq!(text.parse::<Fr>(), Err(error), "{text}");
    refuse("", ParseError::Empty);
    refuse("0x", ParseError::Empty);
    refuse("-1", ParseError::Digit { position: 0 });
    refuse("+1", ParseError::Digit { position: 0 });
    refuse(" 1", ParseError::Digit { position: 0 });
    refuse("1 ", ParseError::Digit { position: 1 });
    refuse("1_000", ParseError::Digit { position: 1 });
    refuse("12a", ParseError::Digit { position: 2 });
    refuse("0xfg", ParseError::Digit { position: 3 });
    refuse("0X10", ParseError::Digit { position: 1 });
    refuse("1\u{e9}", ParseError::Digit { position: 1 });
    refuse(&modulus().to_string(), ParseError::NotBelowModulus);
    refuse(&format!("{:#x}", modulus()), ParseError::NotBelowModulus);
    refuse(&"9".repeat(77), ParseError::NotBelowModulus);
    refuse(&format!("0x{}", "f".repeat(64)), ParseError::NotBelowModulus);
    refuse(&"0".repeat(78), ParseError::TooLong { given: 78, most: 77 });
    refuse(&format!("0x{}", "0".repeat(65)), ParseError::TooLong { given: 65, most: 64 });
    let long = ParseError::TooLong { given: 78, most: 77 };
    assert_eq!(long.to_string(), "78 bytes of digits, at most 77 are read");
    refuse(&"1".repeat(10 << 20), ParseError::TooLong { given: 10 << 20, most: 77 });
}

#[test]
fn constants_are_constant() {
    const SEVEN: Fr = Fr::from_u64(7);
    const BYTES: [u8; 32] = SEVEN.to_bytes_be();
    const READ: Result<Fr, Error> = Fr::from_bytes_be(&BYTES);
    const REDUCED: Fr = Fr::from_bytes_le_mod_order(&[0xff; 32]);
    assert_eq!(READ, Ok(SEVEN));
    assert_eq!(integer(REDUCED), ((BigUint::from(1u32) << 256u32) - 1u32) % modulus());
    assert_eq!((integer(Fr::ZERO), integer(Fr::ONE)), (0u32.into(), 1u32.into()));
    assert_eq!(Fr::default(), Fr::ZERO);
}
