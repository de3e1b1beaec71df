#!/usr/bin/env bash
# The targets that this crate is for, and what it costs there: Solana in virtual machines, microcontrollers under QEMU, wasm in node, and proofs at link time that nothing
# allocates or panics. ci/targets.sh [--update]
#
# Costs are held to tests/targets/costs.tsv, number by number where the compiler is the one that it names and within 3 % of another's, and the README's table to
# that file. With --update both are written anew. Installs what is missing (Debian, npm); ten minutes.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

measured=target/costs
mkdir -p $measured
passed=0
for target in bare wasm firmware solana; do
    printf '\n== %s (%s s)\n' $target $SECONDS
    log=$measured/$target.log
    bash tests/targets/$target/run.sh "$PWD/$measured/$target.tsv" 2>&1 | tee $log
    passed=$((passed + $(tail -n 1 $log | cut -d ' ' -f 1)))
done

# Machine, hash, measure and number, of both.
{
    echo "# $(/usr/bin/rustc --version)"
    awk -F '\t' -v OFS='\t' '$1 ~ /^sBPF v0/ { print $1, $2, $4, $3 }' $measured/solana.tsv
    awk -F '\t' -v OFS='\t' '
        BEGIN {
            split("thumbv7em-none-eabihf Cortex-M4 thumbv6m-none-eabi Cortex-M0 riscv32imac-unknown-none-elf RV32IMAC", machines, " ")
            for (i = 1; i < 6; i += 2) machine[machines[i]] = machines[i + 1]
            hash["p2_bn254_3"] = "Poseidon2, BN254, t = 3"
            hash["p2_bls12_381_2"] = "Poseidon2, BLS12-381, t = 2"
        }
        {
            name = ($2 in hash) ? hash[$2] : "t = " substr($2, 2)
            print machine[$1], name, "instructions", $3
            print machine[$1], name, "stack", $4
            print machine[$1], name, "code", $5
            print machine[$1], name, "tables", $6
        }' $measured/firmware.tsv
} >$measured/costs.tsv

# The README's table, from a file of costs.
table() {
    awk -F '\t' '
        !/^#/ { cost[$1, $2, $3] = $4; if (!($2 in seen) && $1 ~ /^Cortex-M4/) { seen[$2]; order[++count] = $2 } }
        END {
            print "| hash | sBPF, software: units | `sol_poseidon`: units | Cortex-M4: instructions | stack | code + tables | Cortex-M0: instructions | RV32: instructions |"
            print "|---|---|---|---|---|---|---|---|"
            for (i = 1; i <= count; i++) {
                hash = order[i]
                call = (hash ~ /^t/) ? cost["sBPF v0, syscall", hash, "units"] : ""
                print "| " hash " | " cost["sBPF v0, software", hash, "units"] " | " call " | " cost["Cortex-M4", hash, "instructions"] " | " cost["Cortex-M4", hash, "stack"] " | " \
                    cost["Cortex-M4", hash, "code"] " + " cost["Cortex-M4", hash, "tables"] " | " cost["Cortex-M0", hash, "instructions"] " | " cost["RV32IMAC", hash, "instructions"] " |"
            }
            printf "\nA Solana program of two inputs alone takes %s units in software and has %s bytes; by the system call %s and %s.\n", cost["sBPF v0, software", "two inputs", "units"], \
                cost["sBPF v0, software", "two inputs", "bytes"], cost["sBPF v0, syscall", "two inputs", "units"], cost["sBPF v0, syscall", "two inputs", "bytes"]
        }' "$1"
}

held=tests/targets/costs.tsv
begin='<!-- costs: ci/targets.sh --update -->' end='<!-- /costs -->'
if [ "${1:-}" = --update ]; then
    cp $measured/costs.tsv $held
    table $held >$measured/table.md
    awk -v begin="$begin" -v end="$end" -v table=$measured/table.md '
        $0 == end { inside = 0 }
        !inside
        $0 == begin { inside = 1; while ((getline line <table) > 0) print line }' README.md >$measured/README.md
    cp $measured/README.md README.md
fi

allowed=0.03
[ "$(head -n 1 $held)" = "$(head -n 1 $measured/costs.tsv)" ] && allowed=0
awk -F '\t' -v allowed=$allowed '
    /^#/ { next }
    NR == FNR { held[$1 "\t" $2 "\t" $3] = $4; next }
    {
        cost = $1 "\t" $2 "\t" $3
        off = $4 - held[cost]
        if (!(cost in held) || off > allowed * held[cost] || -off > allowed * held[cost]) { print cost ": " $4 ", held to " held[cost]; bad = 1 }
        delete held[cost]
    }
    END { for (cost in held) { print cost ": not measured"; bad = 1 } exit bad }' $held $measured/costs.tsv
diff <(sed -n "\#^$begin#,\#^$end#p" README.md | sed '1d;$d') <(table $held)
passed=$((passed + 2))
echo "$passed passed, 0 failed"
