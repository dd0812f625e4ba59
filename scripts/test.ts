/**
 * `npm test` and `npm run contract`: finds the test files and hands them to node's own runner.
 *
 * `unit` runs the packages' tests in one process, because starting a process costs more than most
 * of them, and then those that start processes themselves, each in its own. `contract` runs
 * `*.contract.test.ts`: every storage driver against its real engine. Further arguments keep the
 * files whose path contains one of them: `npm test -- routing e2e/kill`.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TESTS = '{packages,examples,bench,e2e,scripts}/**/*.test.ts';

/** Test files that share one way of running. */
interface Batch {
  title: string;
  files: string[];
  flags: readonly string[];
}

const SEEDED: readonly string[] = [`--import=${import.meta.resolve('./property-seed.ts')}`];
const TOGETHER: readonly string[] = ['--test-isolation=none'];
// Two at a time: each of these starts servers of its own, and two cores is what CI has.
const APART: readonly string[] = ['--test-isolation=process', '--test-concurrency=2'];
// Compiled once for the hundreds of programs that tests start: a third of the time of a start.
const COMPILED = join(tmpdir(), 'node-compile-cache');

/** The batches of one suite; undefined for a suite that does not exist. */
function batchesOf(suite: string, filters: readonly string[]): Batch[] | undefined {
  const isWanted = (file: string) =>
    filters.length === 0 || filters.some((filter) => file.includes(filter));
  const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules', '**/dist'] })
    .filter(isWanted)
    .toSorted();
  const contract = files.filter(isContract);
  const others = files.filter((file) => !isContract(file));
  switch (suite) {
    case 'unit':
      return [
        { title: 'in one process', files: others.filter((f) => !isSlow(f)), flags: TOGETHER },
        { title: 'in processes of their own', files: others.filter(isSlow), flags: APART },
      ];
    case 'contract':
      return [{ title: 'against real engines', files: contract, flags: APART }];
    default:
      return undefined;
  }
}

function isContract(file: string): boolean {
  return file.endsWith('.contract.test.ts');
}

/** Tests that start processes, or want one to themselves. */
function isSlow(file: string): boolean {
  return /^(e2e|scripts|bench)\//.test(file) || file.endsWith('.process.test.ts');
}

/** Runs one batch to its end; true when node's runner was content. */
async function runBatch({ title, files, flags }: Batch): Promise<boolean> {
  console.log(`\n▷ ${files.length} test files ${title}`);
  const args = ['--test', '--test-reporter=spec', ...SEEDED, ...flags, ...files];
  const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

async function main([suite = 'unit', ...filters]: readonly string[]): Promise<boolean> {
  const batches = batchesOf(suite, filters)?.filter(({ files }) => files.length > 0);
  if (!batches) {
    console.error(`no suite ${suite}; there are unit, contract`);
    return false;
  }
  if (batches.length === 0) {
    // Nothing run is not the same as nothing broken.
    console.error(`${suite}: no test file found ${filters.join(', ')}`.trimEnd());
    return false;
  }
  const lines: string[] = [];
  let isGreen = true;
  for (const batch of batches) {
    const isBatchGreen = await runBatch(batch);
    isGreen &&= isBatchGreen;
    lines.push(`${isBatchGreen ? 'ok    ' : 'FAILED'}  ${batch.files.length} files ${batch.title}`);
  }
  console.log(`\n${suite}\n${lines.join('\n')}`);
  return isGreen;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
