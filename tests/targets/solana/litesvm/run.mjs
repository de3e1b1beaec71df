// node run.mjs CASES PROGRAM [--broken]: asks a program every case of the file that `solana-vm cases` printed, in litesvm, which meters as the chain does.
// node run.mjs --two-inputs MOST PROGRAM: the units of two inputs, which must not be above MOST.
// Exit code 1 if an answer is wrong, or too dear. `--broken` alters an expected answer, which must be noticed.
import { readFileSync } from 'node:fs';
import { ComputeBudget, FailedTransactionMetadata, LiteSVM } from 'litesvm';
import {
  appendTransactionMessageInstruction,
  createTransactionMessage,
  generateKeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit';

// Wide hashes in software take more than the 1.4 million of a transaction.
const budget = new ComputeBudget();
budget.computeUnitLimit = 100_000_000n;
const chain = new LiteSVM().withComputeBudget(budget);
const payer = await generateKeyPairSigner();
chain.airdrop(payer.address, lamports(1_000_000_000_000n));

async function load(path) {
  const { address } = await generateKeyPairSigner();
  chain.addProgram(address, readFileSync(path));
  return address;
}

/// The exit code, the return data in hexadecimal, and the units that a transaction of this one instruction took.
async function run(programAddress, data) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => chain.setTransactionMessageLifetimeUsingLatestBlockhash(message),
    (message) => appendTransactionMessageInstruction({ programAddress, accounts: [], data }, message),
  );
  const outcome = chain.sendTransaction(await signTransactionMessageWithSigners(message));
  // The same instruction may come again.
  chain.expireBlockhash();
  const failed = outcome instanceof FailedTransactionMetadata;
  const meta = failed ? outcome.meta() : outcome;
  const custom = /custom program error: 0x([0-9a-f]+)/.exec(meta.logs().join('\n'));
  return {
    code: failed ? (custom ? Number.parseInt(custom[1], 16) : `failed: ${meta.logs().join(' | ')}`) : 0,
    answer: failed ? '' : Buffer.from(meta.returnData().data()).toString('hex'),
    units: Number(meta.computeUnitsConsumed()),
  };
}

async function check(casesPath, programPath, broken) {
  const cases = JSON.parse(readFileSync(casesPath, 'utf8'));
  if (broken) cases[0].answer = cases[0].answer.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const program = await load(programPath);
  let wrong = 0;
  for (const { name, data, code, answer, whole, cost } of cases) {
    const outcome = await run(program, Buffer.from(data, 'hex'));
    // The chain drops zeros at the end of return data.
    const returned = outcome.answer.padEnd(answer.length, '0');
    const right = outcome.code === code && (whole ? returned === answer : returned.startsWith(answer));
    if (!right) {
      wrong += 1;
      console.log(`${name}: ${JSON.stringify(outcome)}`);
    }
    if (cost) console.log(`units\t${cost}\t${outcome.units}`);
  }
  console.log(`${cases.length - wrong} passed, ${wrong} failed`);
  return wrong === 0;
}

async function twoInputs(most, programPath) {
  const program = await load(programPath);
  const data = Buffer.alloc(64);
  data[31] = 1;
  data[63] = 2;
  const { code, answer, units } = await run(program, data);
  console.log(`units\ttwo inputs\t${units}`);
  const right =
    code === 0 && answer === '115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a' && units <= Number(most);
  console.log(`${right ? 1 : 0} passed, ${right ? 0 : 1} failed`);
  return right;
}

const [first, second, third] = process.argv.slice(2);
const right = first === '--two-inputs' ? await twoInputs(second, third) : await check(first, second, third === '--broken');
process.exit(right ? 0 : 1);
