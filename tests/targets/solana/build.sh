#!/usr/bin/env bash
# Builds the program for sBPF: build.sh VERSION software|syscall|'' FRAME [cargo's options], where VERSION is v0 or v3 and FRAME the bytes that a stack frame
# may have: the linker refuses a function with a larger one, and a call with more than five arguments. What is neither software nor the system call is
# built for Solana by name, core and all, and decides for itself. Prints the program's path.
set -euo pipefail
cd "$(dirname "$0")/program"
version=$1 hashes=$2 frame=$3
shift 3

directory=$PWD/target/$version-${hashes:-solana}-$frame
flags=(-C linker=sbpf-linker -C panic=abort -C target-cpu=v2)
flags+=(-C link-arg=--arch="$version" -C link-arg=--llvm-args=--bpf-stack-size="$frame" -C link-arg=--export=entrypoint -C link-arg=--deploy=false)
if [ "$hashes" ]; then
    target=bpfel-unknown-none
    flags+=(--cfg "const_poseidon_solana=\"$hashes\"")
    options=(--target $target)
else
    target=sbpf-solana-solana
    options=(--target "$PWD/../$target.json" -Zbuild-std=core,alloc -Zjson-target-spec)
    export RUSTC_BOOTSTRAP=1
fi
# The separator that lets a flag have quotes.
printf -v encoded '%s\x1f' "${flags[@]}"
CARGO_ENCODED_RUSTFLAGS=${encoded%$'\x1f'} RUSTC=/usr/bin/rustc PATH="$HOME/.cargo/bin:$PATH" \
    /usr/bin/cargo build --quiet --release --locked "${options[@]}" --target-dir "$directory" "$@" >&2
echo "$directory/$target/release/libsolana_program.so"
