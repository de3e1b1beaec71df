//! Every vector of `data/kats.json` that this crate has a function for.

use crate::reference::{modulus, Instance};
use crate::samples::integer;
use crate::widths::width;
use const_poseidon::{hash, Fr, Poseidon};
use num_bigint::BigUint;
use serde::Deserialize;
use std::collections::BTreeMap;

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
    note: Option<String>,
    mode: Option<String>,
}

impl Vector {
    /// The inputs: through the strict constructor, except where the entry's note says that they are reduced.
    fn inputs(&self) -> Vec<Fr> {
        let reduced = self.note.as_ref().is_some_and(|note| note.contains("the constructor that reduces"));
        self.inputs.iter().map(|text| if reduced { reducing(text) } else { strict(text) }).collect()
    }

    fn outputs(&self) -> Vec<Fr> {
        self.output.iter().map(|text| strict(text)).collect()
    }

    fn domain_tag(&self) -> Fr {
        self.domain_tag.as_deref().map_or(Fr::ZERO, strict)
    }
}

/// By the constructor that reduces.
fn reducing(text: &str) -> Fr {
    let digits = parse(text).to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    Fr::from_bytes_be_mod_order(&bytes)
}

fn strict(text: &str) -> Fr {
    let parsed: Fr = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(integer(parsed), parse(text), "{text}");
    parsed
}

/// An integer of any size, by num-bigint.
fn parse(text: &str) -> BigUint {
    match text.strip_prefix("0x") {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
        None => BigUint::parse_bytes(text.as_bytes(), 10),
    }
    .unwrap_or_else(|| panic!("{text} is no integer"))
}

/// The state in, the permuted state (or its first lanes) out: by every function of the width, and by the oracle.
fn check_permutation(vector: &Vector, state: &[Fr]) {
    let outputs = vector.outputs();
    width(vector.t).check(state, &outputs, &vector.name);
    let integers: Vec<BigUint> = state.iter().map(|&lane| integer(lane)).collect();
    let expected: Vec<BigUint> = outputs.iter().map(|&lane| integer(lane)).collect();
    assert_eq!(Instance::of(vector.t).permute(&integers)[..expected.len()], expected, "{}: the oracle", vector.name);
}

/// A binary tree of the given depth with one leaf, at index 0, and zeros.
fn single_leaf_root(leaf: Fr, depth: usize) -> Fr {
    let step = |(root, zero), _| (hash(&[root, zero]), hash(&[zero, zero]));
    (0..depth).fold((leaf, Fr::ZERO), step).0
}

/// iden3's sparse Merkle tree: a lone leaf is H(key, value, 1), a node H(left, right), an empty subtree 0; the key's
/// bits, least significant first, choose the side.
fn sparse_root(leaves: &[(Fr, Fr)], level: u64) -> Fr {
    match leaves {
        [] => Fr::ZERO,
        [(key, value)] => hash(&[*key, *value, Fr::ONE]),
        _ => {
            let (right, left): (Vec<_>, Vec<_>) = leaves.iter().partition(|(key, _)| integer(*key).bit(level));
            hash(&[sparse_root(&left, level + 1), sparse_root(&right, level + 1)])
        }
    }
}

/// Scroll's sponge: the tag in the capacity (lane 0), inputs added to lanes 1 and 2, lane 0 out.
fn scroll_sponge(tag: Fr, inputs: &[Fr]) -> Fr {
    let mut state = [tag, Fr::ZERO, Fr::ZERO];
    for block in inputs.chunks(2) {
        for (lane, input) in state[1..].iter_mut().zip(block) {
            *lane += *input;
        }
        Poseidon::<3>::permute(&mut state);
    }
    state[0]
}

#[test]
fn every_vector() {
    let file: File = serde_json::from_str(include_str!("../data/kats.json")).expect("the data file");
    let mut checked: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut left_out: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for vector in &file.vectors {
        let kind = (vector.hash.as_str(), vector.field.as_str());
        let single = || vector.outputs()[0];
        match kind {
            ("poseidon_circom", "bn254_fr") => {
                let mut state = vec![vector.domain_tag()];
                state.extend(vector.inputs());
                check_permutation(vector, &state);
            }
            ("poseidon_perm", "bn254_fr") => check_permutation(vector, &vector.inputs()),
            ("poseidon_circom_merkle2", "bn254_fr") => {
                assert_eq!(single_leaf_root(vector.inputs()[0], 10), single(), "{}", vector.name);
            }
            ("poseidon_circom_smt", "bn254_fr") => {
                let leaves: Vec<_> = vector.inputs().chunks(2).map(|pair| (pair[0], pair[1])).collect();
                assert_eq!(sparse_root(&leaves, 0), single(), "{}", vector.name);
            }
            ("poseidon_sponge_scroll", "bn254_fr") => {
                assert_eq!(scroll_sponge(vector.domain_tag(), &vector.inputs()), single(), "{}", vector.name);
            }
            // Poseidon over another field is not in this crate.
            ("poseidon_perm", "bls12_381_fr") => *left_out.entry(kind).or_default() += 1,
            (name, field) if name.starts_with("poseidon2_") => {
                let inputs: Vec<BigUint> = vector.inputs.iter().map(|text| parse(text)).collect();
                let expected: Vec<BigUint> = vector.output.iter().map(|text| parse(text)).collect();
                let tag = vector.domain_tag.as_deref().map(parse);
                match crate::poseidon2::answer(name, field, vector.t, vector.mode.as_deref(), tag.as_ref(), &inputs) {
                    // A permutation's entry may have its first lanes alone.
                    Some(outputs) => assert_eq!(outputs[..expected.len()], expected, "{}", vector.name),
                    None => *left_out.entry(kind).or_default() += 1,
                }
            }
            _ => panic!("{}: no test for {kind:?}", vector.name),
        }
        if !left_out.contains_key(&kind) {
            *checked.entry(kind).or_default() += 1;
        }
    }
    println!("vectors checked: {checked:?}");
    println!("vectors left out: {left_out:?}");
    let poseidon2 = if cfg!(feature = "bls12-381") { 97 } else { 57 };
    assert_eq!(checked.values().sum::<usize>(), 174 + 3 + 1 + 3 + 2 + poseidon2);
    assert_eq!(checked[&("poseidon_circom", "bn254_fr")], 174);
    assert_eq!(left_out.values().sum::<usize>() + checked.values().sum::<usize>(), 282);
}

#[test]
fn reduction_is_by_name_alone() {
    // The input of `railgun_huge_reduced` as upstream passes it, and what it is equal to.
    let text = "0x9960238a86a7ecff390b7f37f680e7468fa0c41ee3704fcc68f0be82d19be4b2";
    assert!(text.parse::<Fr>().is_err());
    let bytes: [u8; 32] = hex::decode(&text[2..]).expect("hex").try_into().expect("32 bytes");
    assert!(Fr::from_bytes_be(&bytes).is_err());
    assert_eq!(integer(Fr::from_bytes_be_mod_order(&bytes)), parse(text) % modulus());
}
