#!/usr/bin/env bash
# Hashes in a Solana virtual machine, with the chain's metering: sBPF versions 0 and 3, in software and by the system call, in the virtual machine alone (exact counts)
# and in litesvm (the chain's runtime and its sol_poseidon). run.sh [FILE]: the costs, one a line, go to the file.
#
# Needs Debian's Rust with a core for BPF, LLVM 22 for the linker, node and npm: installs what is missing.
set -euo pipefail
cd "$(dirname "$0")"
costs=$(realpath -m "${1:-target/costs.tsv}")

packages=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22 libstd-rust-web-dev-bpf llvm-22 llvm-22-dev)
# A node from elsewhere keeps Debian's out.
command -v npm >/dev/null || packages+=(nodejs npm)
dpkg -s "${packages[@]}" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; }
PATH="$HOME/.cargo/bin:$PATH"
command -v sbpf-linker >/dev/null || LLVM_PREFIX=/usr/lib/llvm-22 cargo install --quiet sbpf-linker --version 0.2.6 --locked \
    --no-default-features --features bpf-linker/llvm-22
# By the lock file, as far as it goes: `npm ci` wants the optional packages of all platforms, which not every registry has.
(cd litesvm && npm install --silent --no-save --no-audit --no-fund)
# litesvm wants node 20, which Debian 12's is not: then npm has one.
if [ "$(node --print 'parseInt(process.versions.node)')" -lt 20 ]; then
    npm install --silent --no-save --no-audit --no-fund --prefix target/node node@20.20.2
    PATH="$PWD/target/node/node_modules/node/bin:$PATH"
fi

cargo build --quiet --release --locked --manifest-path vm/Cargo.toml --target-dir target/vm
vm=target/vm/release/solana-vm
mkdir -p "$(dirname "$costs")"
cases=target/cases.json
"$vm" cases >"$cases"

passed=0
output=target/output
# Runs a command whose last line says how many passed, adds them up, and shows that line.
held() {
    "$@" >$output || { cat $output; exit 1; }
    passed=$((passed + $(tail -n 1 $output | cut -d ' ' -f 1)))
    tail -n 1 $output
}
# The costs in the last command's output, and on what they were measured.
cost() { sed -n "s/^\(units\|bytes\)\t\(.*\)/$1\t\2\t\1/p" $output >>"$costs"; }

: >"$costs"
for version in v0 v3; do
    for hashes in software syscall; do
        echo "== sBPF $version, $hashes"
        every=$(./build.sh $version $hashes 4096)
        held "$vm" check "$every"
        cost "sBPF $version, $hashes"
        # A frame of 2048 bytes is enough for t up to 5, and so for this program.
        two=$(./build.sh $version $hashes 2048 --features two-inputs)
        held "$vm" two-inputs "$two"
        cost "sBPF $version, $hashes"
        # litesvm's chain has version 0 alone switched on.
        if [ $version = v0 ]; then
            held node litesvm/run.mjs "$cases" "$every"
            [ $hashes = software ] && most=330000 || most=970
            held node litesvm/run.mjs --two-inputs $most "$two"
        fi
    done
done

# As Solana's own toolchain builds, by a target whose operating system is solana: the system call without being asked.
echo "== solana"
solana=$(./build.sh v0 '' 2048 --features two-inputs)
held node litesvm/run.mjs --two-inputs 970 "$solana"

# The controls: an altered answer is noticed, and so is a frame that is too small.
if node litesvm/run.mjs "$cases" "$(./build.sh v0 syscall 4096)" --broken >target/broken.log; then
    echo "an altered answer was not noticed"
    exit 1
fi
if ./build.sh v0 software 256 --features two-inputs 2>target/small-frame.log; then
    echo "a frame of 256 bytes was enough"
    exit 1
fi
grep -q "stack limit is exceeded" target/small-frame.log
passed=$((passed + 2))

# No image has an allocator in it: nothing provides one, so that alloc could not be linked.
two=$(awk -F '\t' '$1 == "sBPF v0, software" && $2 == "two inputs" { print $4 ": " $3 }' "$costs")
echo "two inputs in software: $two"
awk -F '\t' '$2 == "t = 13" && $1 == "sBPF v0, software" && $3 >= 1400000 { exit 1 }' "$costs"
awk -F '\t' '$1 == "sBPF v0, software" && $4 == "bytes" && $3 > 20480 { exit 1 }' "$costs"
passed=$((passed + 2))
echo "$passed passed, 0 failed"
