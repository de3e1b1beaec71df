//! What programs are asked, from the project's known answers and refusals.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// Instruction data, and the exit code and return data that it must have.
#[derive(Serialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    #[serde(serialize_with = "hex::serde::serialize")]
    pub(crate) data: Vec<u8>,
    pub(crate) code: u64,
    #[serde(serialize_with = "hex::serde::serialize")]
    pub(crate) answer: Vec<u8>,
    /// Whether that is all of it: some known answers are of a permutation's first lanes.
    pub(crate) whole: bool,
    /// Under which name its units are reported.
    pub(crate) cost: Option<String>,
}

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    hash: String,
    field: String,
    t: usize,
    inputs: Vec<String>,
    output: Vec<String>,
    domain_tag: Option<String>,
}

type Bytes = [u8; 32];

/// Most significant first. The vectors whose inputs are reduced are none of these.
fn bytes(text: &str) -> Bytes {
    let integer = match text.strip_prefix("0x") {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
        None => BigUint::parse_bytes(text.as_bytes(), 10),
    };
    let digits = integer.expect("an integer").to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    bytes
}

fn modulus() -> Bytes {
    bytes("21888242871839275222246405745257275088548364400416034343698204186575808495617")
}

fn reversed(mut bytes: Bytes) -> Bytes {
    bytes.reverse();
    bytes
}

/// A kind's first byte, and inputs.
fn typed(kind: u8, inputs: &[Bytes]) -> Vec<u8> {
    [vec![kind], inputs.concat()].concat()
}

fn slices(little: u8, inputs: &[&[u8]]) -> Vec<u8> {
    let mut data = vec![b's', little];
    for input in inputs {
        data.push(input.len().try_into().expect("a short input"));
        data.extend_from_slice(input);
    }
    data
}

pub(crate) fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/kats.json");
    let text = std::fs::read_to_string(path).expect("the known answers");
    let file: File = serde_json::from_str(&text).expect("the known answers' form");
    let mut cases = Vec::new();
    let mut reported = Vec::new();
    let mut add = |name: String, data: Vec<u8>, code: u64, answer: Vec<u8>, cost: Option<String>| {
        // Of each hash the first one's units: they depend on the inputs in nothing but how these are validated.
        let cost = cost.filter(|cost| !reported.contains(cost));
        reported.extend(cost.clone());
        let whole = !matches!(data.first(), Some(b'2' | b'3'));
        cases.push(Case { name, data, code, answer, whole, cost });
    };

    for vector in &file.vectors {
        let name = &vector.name;
        let inputs: Vec<Bytes> = vector.inputs.iter().map(|text| bytes(text)).collect();
        let outputs: Vec<Bytes> = vector.output.iter().map(|text| bytes(text)).collect();
        let tagged = vector.domain_tag.as_ref().is_some_and(|tag| bytes(tag) != [0; 32]);
        match (vector.hash.as_str(), vector.field.as_str(), vector.t) {
            ("poseidon_circom", "bn254_fr", t) if !tagged && inputs.iter().all(|input| *input < modulus()) => {
                let little: Vec<Bytes> = inputs.iter().copied().map(reversed).collect();
                let (digest, reversed) = (outputs[0].to_vec(), reversed(outputs[0]).to_vec());
                let any: Vec<&[u8]> = inputs.iter().map(|input| &input[..]).collect();
                let any_little: Vec<&[u8]> = little.iter().map(|input| &input[..]).collect();
                add(format!("{name}, slices"), slices(0, &any), 0, digest.clone(), None);
                add(format!("{name}, little-endian slices"), slices(1, &any_little), 0, reversed.clone(), None);
                if [2, 3, 5, 9, 13, 17].contains(&t) {
                    let cost = |what: &str| Some(format!("t = {t}{what}"));
                    add(format!("{name}, bytes"), typed(b'b', &inputs), 0, digest.clone(), cost(""));
                    add(format!("{name}, little-endian"), typed(b'l', &little), 0, reversed, None);
                    add(format!("{name}, elements"), typed(b'e', &inputs), 0, digest.clone(), cost(", elements"));
                    let zero_tagged = [&[[0; 32]], &inputs[..]].concat();
                    add(format!("{name}, tagged"), typed(b't', &zero_tagged), 0, digest, None);
                }
            }
            ("poseidon2_perm", "bn254_fr", 3) => {
                add(name.clone(), typed(b'2', &inputs), 0, outputs.concat(), Some("Poseidon2, BN254, t = 3".into()));
            }
            ("poseidon2_perm", "bls12_381_fr", 2) => {
                add(
                    name.clone(),
                    typed(b'3', &inputs),
                    0,
                    outputs.concat(),
                    Some("Poseidon2, BLS12-381, t = 2".into()),
                );
            }
            _ => {}
        }
    }

    // A domain tag that is not 0, which the system call does not know.
    let (tag, inputs) = (bytes("7"), [bytes("1"), bytes("2")]);
    let digest = const_poseidon::Poseidon::<3>::hash_bytes_be_with_tag(&tag, &inputs).expect("below the modulus");
    add("a domain tag".into(), typed(b't', &[tag, inputs[0], inputs[1]]), 0, digest.to_vec(), None);

    // Refusals, by their numbers.
    let mut refuse = |name: &str, data, code| add(name.into(), data, code, Vec::new(), None);
    let (one, most) = (bytes("1"), [0xff; 32]);
    let almost = {
        let mut bytes = modulus();
        bytes[31] += 1;
        bytes
    };
    for (what, large) in [("p", modulus()), ("p + 1", almost), ("2^256 - 1", most)] {
        refuse(&format!("{what}, first"), typed(b'b', &[large, one]), 7);
        refuse(&format!("{what}, last"), typed(b'b', &[one, large]), 7);
        refuse(&format!("{what}, little-endian"), typed(b'l', &[one, reversed(large)]), 7);
        refuse(&format!("{what}, an element"), typed(b'e', &[one, large]), 7);
        refuse(&format!("{what}, a slice"), slices(0, &[&one, &large]), 7);
        refuse(&format!("{what}, a tag"), typed(b't', &[large, one]), 7);
    }
    refuse("no slices", slices(0, &[]), 3);
    refuse("17 slices", slices(0, &[&one[..]; 17]), 3);
    refuse("an empty slice", slices(0, &[&one, &[]]), 4);
    refuse("31 bytes", slices(0, &[&one[1..], &one]), 5);
    refuse("33 bytes", slices(0, &[&one, &[0; 33]]), 5);
    cases
}
