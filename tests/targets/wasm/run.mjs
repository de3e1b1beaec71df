// Checks a module against the known answers: `node run.mjs X.wasm`. With `--broken` one expected answer is altered, and the run must fail.
import assert from 'node:assert';
import fs from 'node:fs';
import { load, toBytes, toInteger } from './module.mjs';

const [path, option] = process.argv.slice(2);
const module = load(path);
assert.strictEqual(module.imports.length, 0);

const p = {
    bn254_fr: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
    bls12_381_fr: 52435875175126190479447740508185965837690552500527637822603658699938581184513n,
};
const refused = 7; // `Error::NotBelowModulus`, as solana-poseidon numbers it

let passed = 0;
let failed = 0;
function check(what, found, expected) {
    try {
        assert.deepStrictEqual(found, expected);
        passed++;
    } catch {
        failed++;
        console.log(`${what}: ${found}, not ${expected}`);
    }
}

function call(name, inputs, outputs) {
    const result = module.call(name, inputs.map(toBytes), outputs);
    return Array.isArray(result) ? result.map(toInteger) : result;
}

const functions = {
    poseidon_circom: { bn254_fr: { 2: 'hash_1', 3: 'hash_2', 5: 'hash_4', 9: 'hash_8', 13: 'hash_12' } },
    poseidon2_perm: { bn254_fr: { 3: 'poseidon2_bn254_3' }, bls12_381_fr: { 2: 'poseidon2_bls12_381_2' } },
};
const checked = {};
let broken = option === '--broken';

const { vectors } = JSON.parse(fs.readFileSync(new URL('../../data/kats.json', import.meta.url)));
for (const { name, hash, field, t, inputs, output, domain_tag: tag } of vectors) {
    const function_ = functions[hash]?.[field]?.[t];
    if (!function_ || BigInt(tag ?? 0) !== 0n) continue;
    const given = inputs.map(BigInt);
    // Some upstreams reduce their inputs, and this module refuses those that are not.
    const reduced = given.map(input => input % p[field]);
    if (given.some((input, i) => input !== reduced[i])) check(`${name}, unreduced`, call(function_, given, 0), refused);
    // An entry may have the first lanes alone; of a hash, lane 0 is the digest and the module gives no other.
    const expected = (hash === 'poseidon_circom' ? output.slice(0, 1) : output).map(BigInt);
    if (broken) expected[0] ^= 1n;
    broken = false;
    check(name, call(function_, reduced, expected.length), expected);
    checked[function_] = (checked[function_] ?? 0) + 1;
}

// Each function refuses what is not below the modulus in any place, and takes what is just below.
for (const fields of Object.values(functions)) {
    for (const [field, widths] of Object.entries(fields)) {
        for (const [t, function_] of Object.entries(widths)) {
            const count = function_.startsWith('hash') ? t - 1 : Number(t);
            assert(checked[function_] > 0, `no vector for ${function_}`);
            const largest = Array(count).fill(p[field] - 1n);
            check(`${function_} of p - 1`, call(function_, largest, 0), []);
            for (let i = 0; i < count; i++) {
                for (const input of [p[field], 2n ** 256n - 1n]) {
                    check(`${function_} of ${input} in place ${i}`, call(function_, largest.with(i, input), 0), refused);
                }
            }
        }
    }
}

console.log('vectors:', checked);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
