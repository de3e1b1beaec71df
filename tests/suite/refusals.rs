//! Every case of `data/negative.json`: the kind of the error and which input it names.

use crate::widths::width;
use const_poseidon::{hash_bytes_be, hash_bytes_le, hash_slice, Error, Fr};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    api: String,
    inputs: Vec<String>,
    error: Expected,
    repeat: Option<Repeat>,
}

#[derive(Deserialize)]
struct Expected {
    kind: String,
    index: Option<usize>,
}

#[derive(Deserialize)]
struct Repeat {
    byte: String,
    length: usize,
}

fn kind_and_index(error: Error) -> (&'static str, Option<usize>) {
    match error {
        Error::InputCount { .. } => ("input_count", None),
        Error::InputLength { index, .. } => ("input_length", Some(index)),
        Error::NotBelowModulus { index } => ("not_below_modulus", Some(index)),
        other => panic!("{other}: no refusal here expects it"),
    }
}

#[test]
fn every_case() {
    let file: File = serde_json::from_str(include_str!("../data/negative.json")).expect("the data file");
    let (mut ran, mut compiled, mut left_out) = (0, 0, 0);
    for case in &file.cases {
        let hash_bytes = match (case.api.as_str(), case.error.kind.as_str()) {
            ("bytes_be", _) => hash_bytes_be,
            ("bytes_le", _) => hash_bytes_le,
            // ci/messages.sh holds these, each beside a twin that compiles, and so do `Poseidon`'s documentation tests.
            (_, "compile") => {
                compiled += 1;
                continue;
            }
            ("Poseidon<14>", "none") => {
                assert!(hash_slice(&[Fr::ONE; 13]).is_ok());
                ran += 1;
                continue;
            }
            // Poseidon2 and its variable-length hash: not in this crate.
            ("FixedLen INPUT_SIZE=2" | "variable-length hash", _) => {
                left_out += 1;
                continue;
            }
            (api, _) => panic!("{}: no test for {api}", case.name),
        };
        let mut inputs: Vec<Vec<u8>> = case.inputs.iter().map(|text| hex::decode(text).expect("hex")).collect();
        if let Some(Repeat { byte, length }) = &case.repeat {
            inputs.push(vec![hex::decode(byte).expect("hex")[0]; *length]);
        }
        let slices: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let error = hash_bytes(&slices).expect_err(&case.name);
        assert_eq!(kind_and_index(error), (case.error.kind.as_str(), case.error.index), "{}", case.name);
        ran += 1;
    }
    println!("refusals: {ran} ran, {compiled} are documentation tests, {left_out} left out");
    assert_eq!((ran, compiled, left_out), (12, 3, 2));
}

#[test]
fn the_first_input_at_fault_is_named() {
    let (good, big, short) = ([1; 32], [0xff; 32], [1; 31]);
    for hash_bytes in [hash_bytes_be, hash_bytes_le] {
        assert_eq!(hash_bytes(&[&good, &good, &big, &short]), Err(Error::NotBelowModulus { index: 2 }));
        assert_eq!(hash_bytes(&[&good, &short, &big]), Err(Error::InputLength { index: 1, given: 31 }));
        let many: [&[u8]; 17] = [&short; 17];
        assert_eq!(hash_bytes(&many), Err(Error::InputCount { given: 17, min: 1, max: 16 }));
        let most: [&[u8]; 16] = [&good; 16];
        assert!(hash_bytes(&most).is_ok());
    }
}

#[test]
fn typed_bytes_name_the_input_or_the_tag() {
    let modulus = {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(&crate::reference::modulus().to_bytes_be());
        bytes
    };
    for t in 2..=17 {
        for (order, modulus) in width(t).bytes.iter().zip([modulus, reversed(modulus)]) {
            for index in 0..t - 1 {
                let mut inputs = vec![[0; 32]; t - 1];
                inputs[index] = modulus;
                assert_eq!((order.typed)(&inputs), Err(Error::NotBelowModulus { index }));
                assert_eq!((order.with_tag)(&[0; 32], &inputs), Err(Error::NotBelowModulus { index }));
                assert_eq!((order.with_tag)(&modulus, &inputs), Err(Error::DomainTagNotBelowModulus));
                let slices: Vec<&[u8]> = inputs.iter().map(|input| &input[..]).collect();
                assert_eq!((order.slices_with_tag)(&[0; 32], &slices), Err(Error::NotBelowModulus { index }));
                assert_eq!((order.slices_with_tag)(&modulus, &slices), Err(Error::DomainTagNotBelowModulus));
                assert_eq!(
                    (order.slices_with_tag)(&modulus, &[]),
                    Err(Error::InputCount { given: 0, min: 1, max: 16 })
                );
                let slices: Vec<&[u8]> = inputs.iter().map(|input| &input[..]).collect();
                assert_eq!((order.slices_with_tag)(&[0; 32], &slices), Err(Error::NotBelowModulus { index }));
                assert_eq!((order.slices_with_tag)(&modulus, &slices), Err(Error::DomainTagNotBelowModulus));
                assert_eq!(
                    (order.slices_with_tag)(&modulus, &[]),
                    Err(Error::InputCount { given: 0, min: 1, max: 16 })
                );
            }
        }
    }
}

fn reversed(mut bytes: [u8; 32]) -> [u8; 32] {
    bytes.reverse();
    bytes
}

#[test]
fn errors_say_what_was_wrong() {
    let text = |error: Error| error.to_string();
    assert_eq!(text(Error::InputCount { given: 17, min: 1, max: 16 }), "17 inputs were given, 1 to 16 are supported");
    assert_eq!(text(Error::InputCount { given: 1, min: 2, max: 2 }), "1 input was given, 2 are needed");
    assert_eq!(text(Error::InputLength { index: 1, given: 31 }), "input 1 is 31 bytes long, not 32");
    assert_eq!(text(Error::NotBelowModulus { index: 3 }), "input 3 is not below the field's modulus");
    assert_eq!(text(Error::DomainTagNotBelowModulus), "the domain tag is not below the field's modulus");
    let error = Error::RoundConstantCount { given: 64, rounds: 65 };
    assert_eq!(text(error), "64 rows of round constants were given for 65 rounds");
    assert_eq!(text(Error::OddFullRounds { given: 7 }), "7 full rounds were asked for, not an even number");
    assert_eq!(text(Error::ZeroWidth), "the width is 0");
    assert!(size_of::<Error>() <= 32);
}
