#!/usr/bin/env bash
# The tests on processors of other kinds, under qemu-user: aarch64, and s390x, whose words are big-endian. Needs Debian's Rust with its
# sources (rustc-web, cargo-web, rust-web-src), qemu-user and the C libraries and linkers; installs what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(rustc-web cargo-web rust-web-src qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross)
dpkg -s "${packages[@]}" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; }

# Emulation is slow: what it runs is optimised.
export CARGO_PROFILE_DEV_OPT_LEVEL=1
# rustup's compiler has no sources of the standard library to build for a target from.
export RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1
passed=0
for machine in aarch64 s390x; do
    target=$machine-unknown-linux-gnu
    variable=CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$target")
    export "${variable}_LINKER=$machine-linux-gnu-gcc" "${variable}_RUNNER=qemu-$machine -L /usr/$machine-linux-gnu"
    # What a release links is a matter of the machine that builds it.
    /usr/bin/cargo test --quiet --locked --no-default-features --features bls12-381 --target "$target" -Zbuild-std --target-dir target/other-hosts \
        --lib --test suite --test allocation -- --skip linkage
    echo "$target: passed"
    passed=$((passed + 1))
done
echo "$passed passed, 0 failed"
