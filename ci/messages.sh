#!/usr/bin/env bash
# Unsupported widths and counts do not compile, and the compiler says what is supported. Each case differs from the
# supported call beside it in the fault alone.
set -euo pipefail
cd "$(dirname "$0")/.."

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/src"
cat >"$directory/Cargo.toml" <<TOML
[package]
name = "messages"
version = "0.0.0"
edition = "2021"
[dependencies]
const-poseidon = { path = "$PWD", default-features = false, features = ["bls12-381"] }
[workspace]
TOML

passed=0
check() { # expression
    echo "use const_poseidon::*; fn main() { $1; }" >"$directory/src/main.rs"
    cargo build --quiet --offline --manifest-path "$directory/Cargo.toml" --target-dir target/messages 2>"$directory/log"
}
case_() { # the supported call, the faulty one, what the compiler must say
    check "$1" || { cat "$directory/log"; echo "does not compile: $1"; exit 1; }
    if check "$2"; then echo "compiles: $2"; exit 1; fi
    grep -qF -- "$3" "$directory/log" || { cat "$directory/log"; echo "not said of $2: $3"; exit 1; }
    passed=$((passed + 1))
}

widths='Poseidon supports widths 2 to 17, which is 1 to 16 inputs'
counts='Poseidon takes 1 to 16 inputs'
case_ 'Poseidon::<17>::hash(&[Fr::ONE; 16])' 'Poseidon::<18>::hash(&[Fr::ONE; 16])' "$widths"
case_ 'Poseidon::<2>::hash(&[Fr::ONE; 1])' 'Poseidon::<1>::hash(&[Fr::ONE; 1])' "$widths"
case_ 'Poseidon::<17>::permute(&mut [Fr::ONE; 17])' 'Poseidon::<18>::permute(&mut [Fr::ONE; 18])' "$widths"
case_ 'let _ = Poseidon::<17>::PARTIAL_ROUNDS' 'let _ = Poseidon::<0>::PARTIAL_ROUNDS' "$widths"
case_ 'Poseidon::<4>::hash(&[Fr::ONE; 3])' 'Poseidon::<4>::hash(&[Fr::ONE; 2])' 'expected an array with a size of 3, found one with a size of 2'
case_ 'Poseidon::<3>::hash(&[Fr::ONE; 2])' 'Poseidon::<3>::hash(&[Fr::ONE; 3])' 'expected an array with a size of 2, found one with a size of 3'
case_ 'Poseidon::<3>::hash_bytes_be(&[[0; 32]; 2])' 'Poseidon::<3>::hash_bytes_be(&[[0; 32]; 3])' 'expected an array with a size of 2, found one with a size of 3'
case_ 'hash(&[Fr::ONE; 16])' 'hash(&[Fr::ONE; 17])' "$counts"
case_ 'hash(&[Fr::ONE; 1])' 'hash(&[Fr::ONE; 0])' "$counts"
case_ 'hash(&[Fr::ONE; 2])' 'hash(&[1u64; 2])' 'is not a BN254 scalar that this build of const-poseidon knows'
case_ 'hash(&[Fr::ONE; 2])' 'hash(&[bls12_381::Fr::ONE; 2])' 'is not a BN254 scalar that this build of const-poseidon knows'
case_ 'Poseidon2::<Fr, 4>::permute(&mut [Fr::ONE; 4])' 'Poseidon2::<Fr, 5>::permute(&mut [Fr::ONE; 5])' 'Poseidon2 has no parameters for'
case_ 'Poseidon2::<bls12_381::Fr, 4>::permute(&mut [bls12_381::Fr::ONE; 4])' 'Poseidon2::<bls12_381::Fr, 8>::permute(&mut [bls12_381::Fr::ONE; 8])' 'at widths 2, 3, 4, 8, 12, 16'
case_ 'poseidon2::Sponge::<Fr, 3, 2>::default()' 'poseidon2::Sponge::<Fr, 3, 3>::default()' "a sponge's RATE is from 1 to T - 1"
case_ 'poseidon2::Sponge::<Fr, 3, 1>::new(&[0; 32])' 'poseidon2::Sponge::<Fr, 3, 0>::new(&[0; 32])' "a sponge's RATE is from 1 to T - 1"
case_ 'let _ = poseidon2::FixedLenHash::<Fr, 3, 2, 1, 1>::hash(&[])' 'let _ = poseidon2::FixedLenHash::<Fr, 3, 2, 0, 1>::hash(&[])' "a hash's INPUT_SIZE is at least 1"
echo "$passed passed, 0 failed"
