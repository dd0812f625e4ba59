import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Defence } from './defence.ts';
import { DEFENCES } from './defences.ts';
import type { Mutation } from './mutate.ts';

const PACKAGES = join(import.meta.dirname, '../../packages');
const MUTATE = new URL('mutate.ts', import.meta.url).href;
/** For a machine that has other work; such a run takes two seconds. */
const BOUND_MS = 120_000;

/** Runs a defence's test file with the defence switched off; what the runner wrote. */
async function without({ file, find, put, test: testFile }: Defence): Promise<string> {
  const mutation: Mutation = { url: pathToFileURL(join(PACKAGES, file)).href, find, put };
  const child = spawn(
    process.execPath,
    [
      `--import=${MUTATE}`,
      '--test',
      '--test-isolation=none',
      '--test-reporter=tap',
      join(PACKAGES, testFile),
    ],
    {
      // The runner above speaks to its children through the environment: this is none of them.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, REACH_MUTANT: JSON.stringify(mutation) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: BOUND_MS,
      killSignal: 'SIGKILL',
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return said;
}

suite('a defence that is switched off is missed', { concurrency: 2 }, () => {
  for (const defence of DEFENCES) {
    test(`${defence.attack}: ${defence.holds}`, async () => {
      const said = await without(defence);

      const failed = [...said.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
      assert.ok(
        failed.some((name) => name.startsWith(defence.fails)),
        `failed: ${failed.join('; ') || 'nothing'}\n${said.slice(-2_000)}`,
      );
    });
  }
});

test('a defence whose text is not there any more is told', async () => {
  const [first] = DEFENCES;
  assert.ok(first !== undefined);

  const said = await without({ ...first, find: 'text that nobody wrote' });

  assert.match(said, /"text that nobody wrote" stands 0 times in file:/);
});
