#!/usr/bin/env bash
# No branch and no address depends on a secret: tests/constant-time under valgrind's memcheck, for each back end at several
# optimisation levels, with three controls that memcheck must report. x86-64 Linux, with valgrind installed. valgrind's
# cpuid hides ADX, which it executes, and it knows no AVX-512: each back end is forced, the vectors as their model in plain Rust, and
# the program asserts that it is the one that runs.
set -euo pipefail
cd "$(dirname "$0")/../tests/constant-time"

reported=9
passed=0
memcheck() { # program's arguments: valgrind's verdict as the exit code
    valgrind --quiet --error-exitcode=$reported --log-file="$log" "$program" "$@" "$backend"
}

for backend in portable narrow adx model; do
    levels=(1 2 3 s z)
    [ "$backend" != model ] || levels=(2 3 s) # the slowest to build
    for level in "${levels[@]}"; do
        # ark's scalar too, at the level that most builds use.
        features=()
        [ "$level" = 3 ] && features=(--features ark)
        directory=target/$backend-$level
        CARGO_PROFILE_RELEASE_OPT_LEVEL=$level \
            RUSTFLAGS="--cfg const_poseidon_valgrind --cfg const_poseidon_backend=\"$backend\"" \
            cargo build --quiet --release --locked "${features[@]}" --target-dir "$directory"
        program=$directory/release/constant-time
        log=$directory/valgrind.log
        echo "back end $backend, opt-level $level:"
        if ! memcheck check; then
            cat "$log"
            exit 1
        fi
        for control in branch index element; do
            code=0
            memcheck "$control" || code=$?
            if [ "$code" != $reported ]; then
                echo "the control '$control' was not reported (exit code $code)"
                exit 1
            fi
        done
        passed=$((passed + 1))
    done
done
echo "$passed passed, 0 failed"
