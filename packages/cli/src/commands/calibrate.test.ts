import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ends, LocalCalibration, Rate } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const rate = (count: number): Rate => {
  return { count, of: 100, share: count / 100, low: Math.max(0, count - 1) / 100, high: 0.75 };
};
const ends = (right: number, wrong: number): Ends => {
  return { routed_right: rate(right), misrouted: rate(wrong), asked: rate(40), none: rate(10) };
};
const FITTED: LocalCalibration = {
  budget: '1',
  utterances: 100,
  fingerprint: 'words/3#00000000',
  labels: 96,
  slope: 1.234,
  shift: -0.5,
  cuts: [{ budget: '1', shipped: 0.918, route_from: 0.885, detail: 'So many labels.' }],
  before: ends(50, 1),
  after: ends(60, 2),
  warnings: ['Expected, and offered by nobody: a.one.'],
};
const LINE = '{"text":"看一眼","expected":"a.one"}\n';

async function calibrate(over: Partial<LocalCalibration>, ...args: string[]) {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.calibrate', () => ({ ...FITTED, ...over }));
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };
  const at = { env, input: LINE, width: 120 };
  const end = await run(['routes', 'calibrate', '-', ...args], at);
  return { ...end, input: gateway.seen.at(-1)?.input };
}

test('a file of utterances is sent whole; what ships stands beside what labels make of it', async () => {
  const { code, out, err, input } = await calibrate({}, '--budget', '1');

  assert.equal(code, 0, err);
  assert.deepEqual(input, { budget: '1', utterances: [{ text: '看一眼', expected: 'a.one' }] });
  assert.match(out, /routed right +50\.0 % \(49\.0 % to 75\.0 %\) +60\.0 % .* 50 → 60 of 100/);
  assert.match(out, /1 % +91\.8 % +88\.5 % +So many labels\./);
  assert.match(out, /slope 1\.23, shift -0\.50/);
  assert.match(err, /offered by nobody: a\.one/);
});

test('it says what to do next: apply what is better, leave what is not, take back what was applied', async () => {
  const next = async (over: Partial<LocalCalibration>, ...args: string[]) =>
    (await calibrate(over, ...args)).err;

  assert.match(await next({}), /Better: reach routes calibrate - --apply/);
  assert.match(await next({ after: ends(40, 0) }), /More careful: .* --apply/);
  assert.match(await next({ after: ends(50, 1) }), /No better, so leave it/);
  assert.match(await next({ after: ends(70, 4) }), /No better, so leave it/);
  assert.match(await next({ labels: 0 }), /nothing to apply/);
  assert.match(await next({ version: 3 }, '--apply'), /version 3 .* reach calibration rollback/);
});

test('what was applied is shown, tried, taken away and listed like every policy', async () => {
  await using gateway = await FakeGateway.open();
  const view = { policy: 'calibration' as const, version: 2, doc: {}, by: 'ops', at: 'now' };
  gateway
    .on('policies.get', () => view)
    .on('policies.put', () => ({ ...view, warnings: [], dry_run: true }))
    .on('policies.rollback', () => ({ ...view, warnings: [], dry_run: false }))
    .on('policies.history', () => ({ versions: [view] }));
  const env = { REACH_ENDPOINT: gateway.url };
  const inputOf = async (...args: string[]) => {
    const { code, err } = await run(['calibration', ...args], { env });
    assert.equal(code, 0, err);
    return gateway.seen.at(-1)?.input;
  };

  assert.deepEqual(await inputOf('get'), { policy: 'calibration' });
  assert.deepEqual(await inputOf('remove', '--dry-run'), {
    policy: 'calibration',
    doc: {},
    dry_run: true,
  });
  assert.deepEqual(await inputOf('rollback', '1'), { policy: 'calibration', to: 1 });
  assert.deepEqual(await inputOf('history', '--limit', '2'), { policy: 'calibration', limit: 2 });
});
