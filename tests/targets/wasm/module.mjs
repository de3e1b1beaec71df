// The module in node: hashes and permutations of 32-byte arrays.
import fs from 'node:fs';

export function load(path) {
    const module = new WebAssembly.Module(fs.readFileSync(path));
    const { exports } = new WebAssembly.Instance(module, {});
    const buffer = new Uint8Array(exports.memory.buffer, exports.BUFFER.value, 32 * 12);
    const hashes = Object.fromEntries([1, 2, 4, 8, 12].map(n => [n, exports[`hash_${n}`]]));
    return {
        imports: WebAssembly.Module.imports(module),
        // Writes the inputs, calls the function of that name, and copies so many results: an array of them, or the code of a refusal.
        call(name, inputs, outputs) {
            inputs.forEach((input, i) => buffer.set(input, 32 * i));
            const code = exports[name]();
            return code || Array.from({ length: outputs }, (_, i) => buffer.slice(32 * i, 32 * i + 32));
        },
        // The digest of an array of inputs.
        hash(inputs) {
            for (let i = 0; i < inputs.length; i++) buffer.set(inputs[i], 32 * i);
            const code = hashes[inputs.length]();
            if (code) throw new Error(`refused: ${code}`);
            return buffer.slice(0, 32);
        },
    };
}

export const toBytes = integer => Uint8Array.from(Buffer.from(integer.toString(16).padStart(64, '0'), 'hex'));
export const toInteger = bytes => BigInt('0x' + Buffer.from(bytes).toString('hex'));
