//! Names the linker script, and writes the known answers of `tests/data/kats.json` as Rust constants into `OUT_DIR`.

#![allow(clippy::panic, clippy::expect_used, reason = "what cannot be built must fail the build")]

use num_bigint::BigUint;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// BN254's scalar modulus.
const BN254: &str = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
/// BLS12-381's.
const BLS12_381: &str = "52435875175126190479447740508185965837690552500527637822603658699938581184513";

/// Constant's name, the vectors' kind and field, the field's modulus, and how many inputs.
const SETS: [(&str, &str, &str, &str, usize); 7] = [
    ("T2", "poseidon_circom", "bn254_fr", BN254, 1),
    ("T3", "poseidon_circom", "bn254_fr", BN254, 2),
    ("T5", "poseidon_circom", "bn254_fr", BN254, 4),
    ("T9", "poseidon_circom", "bn254_fr", BN254, 8),
    ("T13", "poseidon_circom", "bn254_fr", BN254, 12),
    ("P2_BN254_3", "poseidon2_perm", "bn254_fr", BN254, 3),
    ("P2_BLS12_381_2", "poseidon2_perm", "bls12_381_fr", BLS12_381, 2),
];

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    for (architecture, script) in [("arm", "arm.ld"), ("riscv32", "riscv.ld")] {
        println!("cargo:rerun-if-changed={script}");
        if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == architecture) {
            println!("cargo:rustc-link-arg-bins=-T{manifest}/{script}");
        }
    }

    let data = Path::new(&manifest).join("../../data/kats.json");
    println!("cargo:rerun-if-changed={}", data.display());
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read_to_string(&data).expect("the data file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let all = file["vectors"].as_array().expect("an array of vectors");

    let mut source = format!("pub const MODULUS: [u8; 32] = {:?};\n", bytes(&integer(BN254)));
    for (name, kind, field, modulus, inputs) in SETS {
        let mut chosen: Vec<_> = all
            .iter()
            .filter(|vector| vector["hash"] == kind && vector["field"] == field)
            .filter(|vector| list(&vector["inputs"]).len() == inputs)
            .collect();
        // The first is the one that `cost` hashes, without a tag.
        chosen.sort_by_key(|vector| !vector["domain_tag"].is_null());
        // One with a digest alone, so that one check must fail.
        let broken = (name == "T3" && env::var_os("CARGO_FEATURE_BROKEN").is_some())
            .then(|| chosen.iter().position(|vector| list(&vector["output"]).len() == 1))
            .flatten();
        writeln!(source, "pub const {name}: &[Vector<{inputs}>] = &[").expect("a String takes any text");
        for (index, vector) in chosen.into_iter().enumerate() {
            source += &constant(vector, &integer(modulus), broken == Some(index));
        }
        source += "];\n";
    }
    let directory = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&directory).join("vectors.rs"), source).expect("OUT_DIR can be written to");
}

/// A `Vector` as Rust source.
fn constant(vector: &Value, modulus: &BigUint, broken: bool) -> String {
    let inputs = list(&vector["inputs"]);
    let mut outputs: Vec<_> = list(&vector["output"]).iter().map(bytes).collect();
    if broken {
        outputs[0][31] ^= 1;
    }
    format!(
        "    Vector {{ name: {}, domain_tag: {:?}, inputs: {:?}, outputs: &{outputs:?}, too_large: {:?} }},\n",
        vector["name"],
        bytes(&vector["domain_tag"].as_str().map_or_else(BigUint::default, integer)),
        inputs.iter().map(bytes).collect::<Vec<_>>(),
        inputs.iter().position(|input| input >= modulus),
    )
}

fn list(value: &Value) -> Vec<BigUint> {
    let texts = value.as_array().expect("an array");
    texts.iter().map(|text| integer(text.as_str().expect("an integer as a string"))).collect()
}

/// Decimal, or hexadecimal after `0x`.
fn integer(text: &str) -> BigUint {
    match text.strip_prefix("0x") {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
        None => BigUint::parse_bytes(text.as_bytes(), 10),
    }
    .unwrap_or_else(|| panic!("{text} is no integer"))
}

/// Most significant byte first.
fn bytes(integer: &BigUint) -> [u8; 32] {
    let digits = integer.to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    bytes
}
