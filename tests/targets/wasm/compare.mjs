// Times a module beside circomlibjs and poseidon-lite, in one process: `node compare.mjs X.wasm`. Answers are checked equal first.
import assert from 'node:assert';
import { buildPoseidon } from 'circomlibjs';
import { poseidon1 } from 'poseidon-lite/poseidon1';
import { poseidon12 } from 'poseidon-lite/poseidon12';
import { poseidon2 } from 'poseidon-lite/poseidon2';
import { poseidon4 } from 'poseidon-lite/poseidon4';
import { load, toBytes, toInteger } from './module.mjs';

const module = load(process.argv[2]);
const circomlibjs = await buildPoseidon();
const lite = { 1: poseidon1, 2: poseidon2, 4: poseidon4, 12: poseidon12 };

const BATCHES = 61;
const MICROSECONDS = 4000; // of a batch, or one call if that is longer

const microseconds = (call, calls) => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) call();
    return Number(process.hrtime.bigint() - start) / 1000;
};

// The median time of each call, from batches that alternate, so that a slower while of the machine is every call's.
function medians(calls) {
    const sizes = calls.map(call => {
        microseconds(call, 300); // until it is compiled
        return Math.max(1, Math.round((MICROSECONDS * 20) / microseconds(call, 20)));
    });
    const times = calls.map(() => []);
    for (let batch = 0; batch < BATCHES; batch++) {
        calls.forEach((call, i) => times[i].push(microseconds(call, sizes[i]) / sizes[i]));
    }
    return times.map(list => list.sort((a, b) => a - b)[BATCHES >> 1]);
}

console.log('Microseconds a hash. circomlibjs is given integers, or elements in its own form, which it need not convert.\n');
console.log('| inputs | this crate, bytes | circomlibjs, integers | ratio | circomlibjs, elements | ratio | poseidon-lite | ratio |');
console.log('|---|---|---|---|---|---|---|---|');
for (const count of [2, 1, 4, 12]) {
    const integers = Array.from({ length: count }, (_, i) => BigInt(i + 1) ** 250n % circomlibjs.F.p);
    const bytes = integers.map(toBytes);
    const elements = new Uint8Array(32 * count);
    integers.forEach((integer, i) => elements.set(circomlibjs.F.e(integer), 32 * i));

    const digest = toInteger(module.hash(bytes));
    assert.strictEqual(circomlibjs.F.toObject(circomlibjs(integers)), digest);
    assert.strictEqual(circomlibjs.F.toObject(circomlibjs(elements)), digest);
    assert.strictEqual(lite[count](integers), digest);

    const [ours, ...peers] = medians([
        () => module.hash(bytes),
        () => circomlibjs(integers),
        () => circomlibjs(elements),
        () => lite[count](integers),
    ]);
    console.log(`| ${[count, ours.toFixed(1), ...peers.flatMap(time => [time.toFixed(1), `${(time / ours).toFixed(2)}x`])].join(' | ')} |`);
}
// circomlibjs keeps worker threads.
process.exit();
