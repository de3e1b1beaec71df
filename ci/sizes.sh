#!/usr/bin/env bash
# Prints the README's table of sizes: what one hash of a width adds to a release program for this machine, in bytes of code and of
# tables, with every back end in it and with the portable one alone. The difference to a program without a hash; needs `size`.
set -euo pipefail
cd "$(dirname "$0")/../tests/sizes"

build() { # back end, width or nothing: bytes of code, bytes of data
    local flags="" target=target/all
    [ "$1" = all ] || { flags="--cfg const_poseidon_backend=\"$1\""; target=target/$1; }
    [ -z "$2" ] || flags="$flags --cfg width"
    WIDTH=$2 RUSTFLAGS=$flags cargo build --quiet --release --locked --target-dir "$target"
    size -A "$target/release/sizes" | awk '$1 == ".text" { code = $2 } $1 == ".rodata" || $1 == ".data.rel.ro" { data += $2 } END { print code, data }'
}

echo "| t | code | tables | portable alone: code | tables |"
echo "|---|---|---|---|---|"
read -r all_code all_data < <(build all "")
read -r portable_code portable_data < <(build portable "")
for t in ${*:-2 3 5 9 13 17}; do
    read -r code data < <(build all "$t")
    read -r plain_code plain_data < <(build portable "$t")
    echo "| $t | $((code - all_code)) | $((data - all_data)) | $((plain_code - portable_code)) | $((plain_data - portable_data)) |"
done
