#!/usr/bin/env bash
# The library's release code calls no panic: its assembly, with every non-generic function in it (all widths by the slice
# functions, on both back ends), names none. The control is a debug build, whose assertions do.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

panics() { # cargo's options: how many lines of the library's assembly name a panic
    local directory=target/no-panic
    rm -rf "$directory"
    cargo rustc --quiet --locked --no-default-features --features bls12-381 --lib --target-dir "$directory" "$@" -- --emit asm
    cat "$directory"/*/deps/const_poseidon-*.s >"$directory/assembly"
    grep -c panic "$directory/assembly" || true
}

debug=$(panics)
release=$(panics --release)
echo "lines that name a panic: $debug in debug (the control), $release in release"
[ "$debug" -gt 0 ] || { echo "the control names none"; exit 1; }
[ "$release" -eq 0 ] || exit 1
echo "1 passed, 0 failed"
