#!/usr/bin/env bash
# The library on three microcontrollers that QEMU has: Cortex-M4, Cortex-M0 and RV32IMAC. Known answers are checked on each, then every hash
# is measured: instructions, bytes of stack, and bytes of code and of tables that it adds to an image. Installs what is missing (Debian).
#
#     tests/targets/firmware/run.sh [file for the costs]
#
# The costs are lines of target, hash, instructions, stack, code and tables, separated by tabs; by default in target/costs.tsv, here.
#
# With `-icount shift=0` an instruction takes QEMU one nanosecond of the machine's time, whatever it is, so clocks count instructions and every
# run gives the same. A tick is 1 instruction on RISC-V (minstret), 40 on mps2-an386 (SysTick at 25 MHz) and 62.5 on the microbit (16 MHz); a
# loop of a known number of instructions confirms it. A hash's count is that of many calls, less that of as many calls of an empty function,
# divided by their number: right to one instruction. It begins with inputs as bytes, which are checked and converted, and ends with the digest's.
set -euo pipefail
shopt -s inherit_errexit
costs=$(realpath -m "${1:-$(dirname "$0")/target/costs.tsv}")
cd "$(dirname "$0")"

packages=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22 llvm-22 qemu-system-arm qemu-system-misc)
dpkg -s "${packages[@]}" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; }
llvm=/usr/lib/llvm-22/bin

# rustup's compiler has no sources of core to build for a target from, and building them is a nightly feature.
export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
mkdir -p "$CARGO_TARGET_DIR" "$(dirname "$costs")"
output=$CARGO_TARGET_DIR/output

passed=0
failed=0
check() { # what, and a command that says whether it holds
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
    fi
}

build() { # program, features: sets $image, and checks that it has no allocator
    # Only core is built: a crate that links alloc would not compile.
    /usr/bin/cargo build --quiet --release --locked --target "$target" -Zbuild-std=core --bin "$1" --features "$2"
    image=$CARGO_TARGET_DIR/$target/release/$1
    check "$target $1 $2: no allocator" without_allocator
}

without_allocator() {
    local symbols
    symbols=$("$llvm/llvm-nm" --demangle "$image")
    # An image without symbols would show nothing: `main` has to be there.
    grep -q ' main$' <<<"$symbols" && ! grep -E '__rust_alloc|__rg_alloc|(^|[^:a-z_])alloc::' <<<"$symbols"
}

run() { # QEMU's options for the clock: the image's output in $output, its exit code in $code
    code=0
    # A broken image may never exit.
    timeout 300 "${machine[@]}" -display none -monitor none -serial none -chardev "file,id=console,path=$output" \
        -semihosting-config enable=on,target=native,chardev=console "$@" -kernel "$image" </dev/null || code=$?
}

number() { # a name in the image's output
    awk -v name="$1" '$1 == name { print $2 }' "$output"
}

sizes() { # bytes of code and of read-only data in the image
    "$llvm/llvm-size" -A "$image" | awk '$1 == ".text" { code = $2 } $1 == ".rodata" { tables = $2 } END { print code, tables }'
}

# Instructions of one call, and a failure where the clock is not what it is taken for.
instructions() {
    awk -v calls="$(number calls)" -v hash="$(number hash_ticks)" -v nothing="$(number nothing_ticks)" \
        -v spin="$(number spin_instructions)" -v spin_ticks="$(number spin_ticks)" -v tick="$tick" 'BEGIN {
            # A reading is right to one tick, and the loop has a few instructions around it.
            off = spin_ticks * tick - spin
            if (off < -2 * tick || off > 2 * tick + 20) exit 1
            printf "%.0f\n", (hash - nothing) * tick / calls
        }'
}

: >"$costs"
for target in thumbv7em-none-eabihf thumbv6m-none-eabi riscv32imac-unknown-none-elf; do
    # tick: instructions; limit: those of a hash of two inputs.
    case $target in
    thumbv7em-*) machine=(qemu-system-arm -M mps2-an386) tick=40 limit=480000 ;;
    thumbv6m-*) machine=(qemu-system-arm -M microbit) tick=62.5 limit=3000000 ;;
    riscv32*) machine=(qemu-system-riscv32 -M virt -bios none) tick=1 limit=700000 ;;
    esac

    build firmware ""
    run
    echo "$target: $(tail -n 1 "$output")"
    [ "$code" = 0 ] || cat "$output"
    check "$target: the known answers" [ "$code" = 0 ]
    answers=$(grep -Eo '^[1-9][0-9]* passed, 0 failed$' "$output" | cut -d ' ' -f 1) || true
    check "$target: the number of answers" [ "${answers:-0}" -gt 0 ]

    # The control: one wrong bit is one failure.
    build firmware broken
    run
    check "$target: the broken answer's exit code is 1, not $code" [ "$code" = 1 ]
    check "$target: the broken answer is reported" grep -qx "$((${answers:-1} - 1)) passed, 1 failed" "$output"

    for hash in t2 t3 t5 t9 t13 p2_bn254_3 p2_bls12_381_2; do
        build cost "$hash,idle"
        read -r idle_code idle_tables < <(sizes)
        build cost "$hash"
        read -r code_bytes tables < <(sizes)
        code_bytes=$((code_bytes - idle_code)) tables=$((tables - idle_tables))
        run -icount shift=0
        check "$target $hash: the measured hash is right (exit code $code)" [ "$code" = 0 ]
        if ! count=$(instructions); then
            echo "$target: a tick is not $tick instructions"
            exit 1
        fi
        stack=$(number stack)
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$hash" "$count" "$stack" "$code_bytes" "$tables" | tee -a "$costs"

        [ "$hash" = t3 ] || continue
        check "$target: $count instructions for two inputs, at most $limit" [ "$count" -le "$limit" ]
        [[ $target == thumbv7em-* ]] || continue
        check "$target: $((code_bytes + tables)) bytes for two inputs, at most 14336" [ "$((code_bytes + tables))" -le 14336 ]
        check "$target: $stack bytes of stack for two inputs, at most 1024" [ "$stack" -le 1024 ]
    done
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
