#!/usr/bin/env bash
# No branch and no address depends on a secret: tests/constant-time under valgrind's memcheck, at three optimisation
# levels, each with two controls that memcheck must report. x86-64 Linux, with valgrind installed.
set -euo pipefail
cd "$(dirname "$0")/../tests/constant-time"

reported=9
memcheck() { # program's arguments: valgrind's verdict as the exit code
    valgrind --quiet --error-exitcode=$reported --log-file="$log" "$program" "$@"
}

for level in 2 3 s; do
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=$level
    RUSTFLAGS="--cfg const_poseidon_valgrind" cargo build --quiet --release --locked --target-dir "target/$level"
    program=target/$level/release/constant-time
    log=target/$level/valgrind.log
    echo "opt-level $level:"
    if ! memcheck check; then
        cat "$log"
        exit 1
    fi
    for control in branch index; do
        code=0
        memcheck "$control" || code=$?
        if [ "$code" != $reported ]; then
            echo "the control '$control' was not reported (exit code $code)"
            exit 1
        fi
    done
done
echo "3 passed, 0 failed"
