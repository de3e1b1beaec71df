#!/usr/bin/env bash
# No function of the crate can reach an allocation, and in release none can reach a panic: a program that calls them all links, though nothing
# defines what those would call. For each back end's build, with controls that must not link for that reason. x86-64 Linux.
set -euo pipefail
cd "$(dirname "$0")"

# The program's list is complete: it has each name that the crate's sources make public.
grep -rhoE '^ *pub (const )?fn \w+' ../../../src | sed 's/.* //' | sort -u | while read -r name; do
    grep -qE "\b$name\b" src/main.rs || { echo "src/main.rs does not call $name"; exit 1; }
done

triple=x86_64-unknown-linux-gnu
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
build() { # cargo's options
    cargo build --quiet --locked --target "$triple" --target-dir "$directory" "$@" 2>"$log"
}
links() { # cargo's options
    build "$@" || { cat "$log"; echo "the proof does not link: back end $backend, $*"; exit 1; }
    passed=$((passed + 1))
}
refused() { # the symbol that must be missing, cargo's options
    local symbol=$1
    shift
    if build "$@"; then echo "the control links: back end $backend, $*"; exit 1; fi
    grep -qE "undefined (symbol|reference).*\b$symbol\b" "$log" || {
        cat "$log"
        echo "the control fails for another reason: back end $backend, $*"
        exit 1
    }
    passed=$((passed + 1))
}

for backend in default narrow portable; do
    directory=${CARGO_TARGET_DIR:-target}/$backend
    export RUSTFLAGS=
    [ "$backend" = default ] || RUSTFLAGS="--cfg const_poseidon_backend=\"$backend\""
    links
    refused allocation_is_reachable --features allocates
    links --release
    "$directory/$triple/release/bare"
    refused allocation_is_reachable --release --features allocates
    refused panic_is_reachable --release --features panics
    # Made small, code keeps checks that the optimiser sees through where it makes code fast.
    for level in s z; do
        CARGO_PROFILE_RELEASE_OPT_LEVEL=$level links --release
    done
    echo "back end $backend: the proofs link, the controls do not"
done
echo "$passed passed, 0 failed"
