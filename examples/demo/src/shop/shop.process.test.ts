import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runDemo } from '../testing/run-demo.ts';

const CORNER_SHOP = join(import.meta.dirname, '../../data/corner-shop');
const DATA = process.env['REACH_ROUTING_DATA'];
const COMMERCE = DATA === undefined ? undefined : join(DATA, 'commerce');

/** The numbers of a line of the table: Chinese, English, all. */
function countsOf(text: string, name: string): number[] {
  const [, numbers = ''] =
    new RegExp(`^ *${name} {2,}([\\d ]+)$`, 'm').exec(text) ?? assert.fail(`${name}: ${text}`);
  return numbers.trim().split(/ +/).map(Number);
}

test('a shop of six capabilities: own agents and desks are reached, a refund is not', async () => {
  const { code, text, errors } = await runDemo('--lang', 'en', '--questions', CORNER_SHOP).ended();

  assert.equal(code, 0, errors + text);
  assert.equal(errors, '');
  assert.match(text, /Starting a gateway and 6 agents with 6 capabilities …/);
  assert.deepEqual(countsOf(text, 'one agent is meant'), [6, 3, 9]);
  // Word for word what was declared, of an own agent and of a desk.
  const [zh = 0, en = 0] = countsOf(text, 'reached it');
  assert.ok(zh >= 1 && en >= 2, text);
  assert.deepEqual(countsOf(text, 'reached another one'), [0, 0, 0]);
  assert.deepEqual(countsOf(text, 'had by name alone'), [1, 1, 2]);
  assert.deepEqual(countsOf(text, 'reached by meaning'), [0, 0, 0]);
  assert.deepEqual(countsOf(text, 'several could be meant'), [1, 1, 2]);
  const [, , asked] = countsOf(text, 'asked back, with one of them');
  assert.ok(Number(asked) >= 1, text);
  assert.ok(text.includes(`asked again: ${asked} of ${asked} remembered.`), text);
  assert.deepEqual(countsOf(text, 'answered by somebody'), [0, 0, 0]);
  assert.deepEqual(countsOf(text, 'failed'), [0, 0, 0]);
  assert.deepEqual(countsOf(text, 'refunds and the like, by meaning'), [0]);
});

test('a folder that cannot be read explains itself before anything is started', async () => {
  const { code, text, errors } = await runDemo('--questions', '/nowhere').ended();

  assert.deepEqual([code, text], [2, '']);
  assert.match(errors, /\/nowhere\/capabilities\.jsonl cannot be read\.\n\nnpm run demo/);
});

const isThere = COMMERCE !== undefined && existsSync(COMMERCE);
const skip = isThere ? false : 'REACH_ROUTING_DATA names no folder that has the set commerce';

for (const examples of ['0', '5']) {
  const name = `the whole commerce set with ${examples} examples keeps the budget, and no refund is reached`;
  test(name, { skip }, async () => {
    const args = ['--lang', 'en', '--questions', COMMERCE ?? '', '--examples', examples];
    const { code, text, errors } = await runDemo(...args).ended();

    assert.equal(code, 0, errors + text);
    assert.deepEqual(countsOf(text, 'refunds and the like, by meaning'), [0]);
    assert.deepEqual(countsOf(text, 'failed'), [0, 0, 0]);
    assert.match(text, /^Misrouted: \d+ of 145, /m);
  });
}
