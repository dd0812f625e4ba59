import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evaluation, type Rate, UTTERANCES_MAX } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';
import { readUtterances } from './evaluate.ts';

const rate = (count: number, of: number): Rate => {
  return { count, of, share: of === 0 ? 0 : count / of, low: 0.25, high: 0.75 };
};
const EVALUATION: Evaluation = {
  budget: '1',
  utterances: 4,
  top1: rate(1, 2),
  top3: rate(2, 2),
  routed_right: rate(1, 2),
  misrouted: rate(1, 4),
  asked: rate(2, 4),
  asked_right: rate(1, 2),
  none: rate(0, 4),
  none_right: rate(0, 0),
  confusions: [{ expected: ['a.one'], got: 'b.two', count: 1, routed: 1, example: '看一眼' }],
  thresholds: [{ budget: '1', route_from: 0.923, suggested: 0.8, detail: 'So many.' }],
  warnings: ['Expected, and offered by nobody: a.one.'],
};

const LINES = [
  '\uFEFF{"text":"看一眼","expected":"a.one","lang":"zh","payload":{"no":1}}',
  '',
  '{"text":"sing","expected":null}\r',
  '{"text":"两个都行","expected":["a.one","b.two"]}',
].join('\n');

test('a file of utterances is sent whole, and its rates, confusions and thresholds are shown', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.evaluate', () => EVALUATION);
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };
  const args = ['routes', 'evaluate', '-', '--budget', '1'];

  const { code, out, err } = await run(args, { env, input: LINES, width: 120 });

  assert.equal(code, 0, err);
  assert.deepEqual(gateway.seen.at(-1)?.input, {
    budget: '1',
    utterances: [
      { text: '看一眼', expected: 'a.one', params: { no: 1 } },
      { text: 'sing', expected: null },
      { text: '两个都行', expected: ['a.one', 'b.two'] },
    ],
  });
  assert.match(out, /misrouted +25\.0 % +25\.0 % to 75\.0 % +1 of 4/);
  assert.match(out, /none, and none was right +– /);
  assert.match(out, /a\.one +b\.two +1 +1 +看一眼/);
  assert.match(out, /1 % +92\.3 % +80\.0 % +So many\./);
  assert.match(err, /offered by nobody: a\.one/);
});

test('what is wrong with a line is told by its number, and nothing is sent', async () => {
  const bad = [
    '{"text":"fine","expected":"a"}',
    'no json',
    '[1]',
    '{"expected":"a"}',
    '{"text":"x"}',
    '{"text":"","expected":"a"}',
    '{"text":"x","expected":"not a name"}',
    '{"text":"x","expected":[]}',
  ];
  assert.throws(
    () => readUtterances(bad.join('\n'), 'bad.jsonl'),
    (error) => {
      assert.ok(error instanceof UsageError);
      const [head, ...lines] = error.message.split('\n').map((line) => line.trim());
      assert.equal(head, 'bad.jsonl cannot be used:');
      const starts = [2, 3, 4, 5, 6, 7, 8].map((n) => `line ${n}:`);
      assert.deepEqual(
        lines.map((line) => line.slice(0, 7)),
        starts,
      );
      assert.match(lines[2] ?? '', /text is missing/);
      assert.match(lines[3] ?? '', /expected is missing; null where/);
      return true;
    },
  );

  await using gateway = await FakeGateway.open();
  const env = { REACH_ENDPOINT: gateway.url };
  const { code } = await run(['routes', 'evaluate', '-'], { env, input: 'no json' });
  assert.deepEqual([code, gateway.seen.length], [2, 0]);
});

test('of many faults ten are told, and a file that is empty or too long is refused', () => {
  const message = (text: string) => {
    try {
      readUtterances(text, 'f');
    } catch (error) {
      if (error instanceof UsageError) return error.message;
    }
    return undefined;
  };
  const many = message('x\n'.repeat(11));
  assert.match(many ?? '', /line 10:.*\n {2}and 1 more$/s);
  assert.doesNotMatch(many ?? '', /line 11/);
  assert.equal(message('\n \n'), 'f has no utterances.');
  const row = '{"text":"x","expected":null}\n';
  assert.equal(message(row.repeat(UTTERANCES_MAX)), undefined);
  assert.match(message(row.repeat(UTTERANCES_MAX + 1)) ?? '', /2001 utterances, and 2000 are/);
});
