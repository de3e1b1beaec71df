#!/usr/bin/env bash
# No branch and no address depends on a secret: tests/constant-time under valgrind's memcheck, at five optimisation
# levels, each with three controls that memcheck must report. x86-64 Linux, with valgrind installed.
set -euo pipefail
cd "$(dirname "$0")/../tests/constant-time"

reported=9
memcheck() { # program's arguments: valgrind's verdict as the exit code
    valgrind --quiet --error-exitcode=$reported --log-file="$log" "$program" "$@"
}

for level in 1 2 3 s z; do
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=$level
    # ark's scalar too, at the level that most builds use.
    features=()
    [ "$level" = 3 ] && features=(--features ark)
    RUSTFLAGS="--cfg const_poseidon_valgrind" cargo build --quiet --release --locked "${features[@]}" --target-dir "target/$level"
    program=target/$level/release/constant-time
    log=target/$level/valgrind.log
    echo "opt-level $level:"
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
done
echo "5 passed, 0 failed"
