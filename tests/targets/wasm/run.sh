#!/usr/bin/env bash
# The wasm module under node: known answers and refusals, with a control that must fail; how large it is; and how fast beside circomlibjs and
# poseidon-lite, in one process. Needs Debian's Rust with its sources, lld, and node with npm; installs what is missing.
set -euo pipefail
cd "$(dirname "$0")"

packages=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22)
# Node's own packages have npm in them, and conflict with Debian's of that name.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
dpkg -s "${packages[@]}" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; }
npm ci --silent --ignore-scripts --no-audit --no-fund

# rustup's compiler has no sources of core to build for wasm from.
export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
target=${CARGO_TARGET_DIR:-target}
build() { # a name, cargo's options: a module of that name
    local name=$1
    shift
    /usr/bin/cargo build --quiet --release --locked --target wasm32-unknown-unknown -Zbuild-std=core --target-dir "$target" "$@"
    cp "$target/wasm32-unknown-unknown/release/wasm.wasm" "$target/$name.wasm"
}
build only-hash-2 --features only-hash-2
build wasm

node run.mjs "$target/wasm.wasm"
passed=1
log=$target/broken.log
code=0
node run.mjs "$target/wasm.wasm" --broken >"$log" || code=$?
if [ "$code" != 1 ] || ! grep -q ' passed, 1 failed$' "$log"; then
    cat "$log"
    echo "the control did not fail by its altered answer (exit code $code)"
    exit 1
fi
passed=$((passed + 1))

echo "bytes: $(stat -c %s "$target/wasm.wasm"), with two inputs alone $(stat -c %s "$target/only-hash-2.wasm")"
node compare.mjs "$target/wasm.wasm"
echo "$passed passed, 0 failed"
