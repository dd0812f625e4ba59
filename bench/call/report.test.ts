import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaseName } from './cases.ts';
import { cpuRatio, parts, type Row } from './report.ts';

const rowOf = (name: CaseName, cpuUs: number[], over?: CaseName): Row => ({
  of: { name, ...(over === undefined ? {} : { over }) },
  connections: 32,
  rounds: cpuUs.map((us) => ({
    calls: 1_000,
    perSecond: 1_000,
    p50Ms: 1,
    p99Ms: 2,
    ownUs: 1,
    cpuUs: us,
    mainUs: us / 2,
    kept: 1,
  })),
});

// The second round ran on a machine that was twice as slow.
const PROXY = rowOf('proxy', [10, 20, 11]);
const PLAIN = rowOf('plain', [20, 40, 22]);

test('what a part adds is told against the case that lacks it, round by round', () => {
  const rows = [PROXY, PLAIN, rowOf('limited', [24, 48, 27], 'plain')];

  const told = parts(rows).find((one) => one.includes('limited'));
  assert.equal(told, '| 32 | limited | plain | +5 | +3 | 1.20 |');
});

test('a part that costs nothing may measure below nothing, and is not rounded to more', () => {
  const rows = [PROXY, PLAIN, rowOf('granted', [18, 36, 20], 'plain')];

  assert.ok(parts(rows).includes('| 32 | granted | plain | −2 | −1 | 0.90 |'));
});

test('the governed call is told beside the aim, which it meets at three times the proxy', () => {
  const told = (us: number[]) => {
    return parts([PROXY, PLAIN, rowOf('governed', us, 'plain')]).join('\n');
  };

  assert.match(told([30, 60, 33]), /adds 11 µs\. A governed call takes 3\.00 × .* is met/);
  assert.match(told([31, 62, 34]), /takes 3\.10 × .* is missed/);
});

test('a ratio is the median of the rounds’ own, not that of two medians', () => {
  assert.equal(cpuRatio(rowOf('plain', [20, 20, 33]), [PROXY]), 2);
});

test('a part whose counterpart was not measured is told as a fault', () => {
  assert.throws(() => parts([PROXY, rowOf('limited', [1, 1, 1], 'plain')]), /plain was not/);
});
