//! A release binary holds the tables of the widths that it uses, and of no other.

use crate::widths::widths;
use const_poseidon::Fr;
use num_bigint::BigUint;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// `tests/one-width` hashes two inputs. Its image is searched for each width's round constants.
#[test]
fn one_width_links_one_table() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/one-width");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-width");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .status()
        .expect("cargo runs");
    assert!(status.success());
    let program = target.join("release").join(format!("one-width{}", std::env::consts::EXE_SUFFIX));
    let image = std::fs::read(program).expect("the program");

    // Tables are aligned to their words.
    let words: Vec<u64> =
        image.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight"))).collect();
    let entries: HashSet<&[u64]> = words.windows(4).collect();
    let mut linked = Vec::new();
    for width in widths() {
        let constants = (width.round_constants)().concat();
        let found = constants.iter().filter(|&&constant| entries.contains(&montgomery_words(constant)[..])).count();
        if found > 0 {
            linked.push((width.t, found));
        }
    }
    println!("one-width: {} bytes; (width, round constants) linked: {linked:?}", image.len());
    assert_eq!(linked, [(3, 65 * 3)]);
}

/// a * 2^256 mod p, least significant word first: an entry of a table on a 64-bit target.
fn montgomery_words(element: Fr) -> Vec<u64> {
    let radix = crate::samples::element(&(BigUint::from(1u32) << 256u32));
    let bytes = (element * radix).to_bytes_le();
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight"))).collect()
}
