//! A release binary holds the tables of the widths that it uses, and of no other.

use crate::widths::widths;
use const_poseidon::Fr;
use num_bigint::BigUint;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// Each program of `tests/one-width` hashes two inputs by another function. Its image is searched for each width's tables.
#[test]
fn one_width_links_one_table() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/one-width");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-width");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(status.success());

    for name in ["hash", "free_hash", "hash_with_tag", "hash_bytes"] {
        let program = target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let image = std::fs::read(program).expect("the program");
        // Tables are aligned to their words.
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight"));
        let words: Vec<u64> = image.chunks_exact(8).map(word).collect();
        let entries: HashSet<&[u64]> = words.windows(4).collect();
        let half_word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four"));
        let half_words: Vec<u32> = image.chunks_exact(4).map(half_word).collect();
        let elements: HashSet<&[u32]> = half_words.windows(table_entry(Fr::ONE).len()).collect();
        let linked = |rows: Vec<Vec<Fr>>| {
            rows.concat().iter().filter(|&&constant| elements.contains(&table_entry(constant)[..])).count()
        };
        let found: Vec<(usize, usize)> = widths()
            .flat_map(|width| [(width.t, linked((width.round_constants)())), (width.t, linked((width.mds_matrix)()))])
            .filter(|&(_, count)| count > 0)
            .collect();
        println!("{name}: {} bytes; (width, entries of a table): {found:?}", image.len());
        // Of the round constants, those of the first round are in the fast tables as they are, and in words one of a trailing round.
        let expected = match const_poseidon::backend() {
            "model" => vec![],
            "narrow" => vec![(3, 3), (3, 3 * 3)],
            _ => vec![(3, 3 + 1), (3, 3 * 3)],
        };
        assert_eq!(found, expected, "{name}");

        // The vectors' tables are in the image where a compiler has the instructions, of that width alone.
        let vectors: Vec<(usize, usize)> = widths()
            .map(|width| (width.t, vector_columns(&(width.mds_matrix)())))
            .map(|(t, columns)| (t, columns.iter().filter(|column| entries.contains(&column[..])).count()))
            .filter(|&(_, count)| count > 0)
            .collect();
        println!("{name}: (width, columns of a vector table): {vectors:?}");
        assert_eq!(vectors, if cfg!(const_poseidon_ifma) { vec![(3, 3)] } else { vec![] }, "{name}");
    }
}

/// An element as tables have it, in 32-bit words: the halves of a * 2^256 mod p, or the limbs of a * 2^280 mod p, 28 bits in each but the last.
#[allow(clippy::cast_possible_truncation, reason = "words are cut")]
fn table_entry(element: Fr) -> Vec<u32> {
    if const_poseidon::backend() != "narrow" {
        return montgomery_words(element).iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
    }
    let words = montgomery_words(element * Fr::from_u64(1 << 24));
    let integer = words.iter().rev().fold(BigUint::default(), |sum, word| (sum << 64u32) + word);
    let bits = |from: u32| (&integer >> from).iter_u64_digits().next().unwrap_or(0);
    let mut limbs: Vec<u32> = (0..8).map(|limb| (bits(28 * limb) & ((1 << 28) - 1)) as u32).collect();
    limbs.push(bits(224) as u32);
    limbs
}

/// a * 2^256 mod p, least significant word first.
fn montgomery_words(element: Fr) -> Vec<u64> {
    let radix = crate::samples::element(&(BigUint::from(1u32) << 256u32));
    let bytes = (element * radix).to_bytes_le();
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight"))).collect()
}

/// Of each column of a matrix, the lowest 52 bits of m * 2^276 in lanes 0 to 3: four slots of a vector.
fn vector_columns(mds: &[Vec<Fr>]) -> Vec<Vec<u64>> {
    let scale = Fr::from_u64(1 << 20);
    let limb = |m: Fr| montgomery_words(m * scale)[0] & ((1 << 52) - 1);
    (0..mds.len()).map(|column| (0..4).map(|lane| mds.get(lane).map_or(0, |row| limb(row[column]))).collect()).collect()
}
