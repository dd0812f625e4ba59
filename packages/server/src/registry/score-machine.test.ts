import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import fc from 'fast-check';
import {
  nextBand,
  NO_PULSE,
  type Pulse,
  type ScoreFacts,
  scoreOf,
  usualOf,
  withProbe,
} from './score-machine.ts';

const WELL: ScoreFacts = {
  isPresent: true,
  isProbed: true,
  pulse: { health: 1, srttMs: 20, usualMs: 20, slowInRow: 0, probedAt: 0 },
  lost: 0,
  now: 0,
  probeIntervalMs: 5_000,
  probeTimeoutMs: 2_000,
  inflight: 0,
  waiting: 0,
  reportedPending: 0,
  isBusy: false,
  capacity: 110,
  runs: 0,
  failures: 0,
  slow: 0,
};

const at = (srttMs: number): ScoreFacts['pulse'] => ({ ...WELL.pulse, srttMs });

function near(value: number | undefined, wanted: number): void {
  assert.ok(value !== undefined && Math.abs(value - wanted) < 0.0005, `${value}, not ${wanted}`);
}

/** Probes every five seconds: a number is a round trip, `lost` is none. */
function probed(story: readonly (number | 'lost')[], from: Pulse = NO_PULSE): Pulse {
  let pulse = from;
  for (const one of story) {
    const next = { at: (pulse.probedAt ?? -5_000) + 5_000, timeoutMs: 2_000, isWell: true };
    pulse = withProbe(pulse, one === 'lost' ? next : { ...next, rttMs: one });
  }
  return pulse;
}

const STEADY = probed(Array<number>(40).fill(20));

const SCORES: readonly [string, Partial<ScoreFacts>, number][] = [
  ['fresh and idle, 20 ms', { pulse: probed([20]) }, 0.97],
  ['idle, 100 ms', { pulse: at(100) }, 0.922],
  ['half full, 100 ms', { pulse: at(100), inflight: 55 }, 0.772],
  ['full', { pulse: at(100), inflight: 110 }, 0.49],
  ['one failed run of one', { runs: 1, failures: 1 }, 0.965],
  ['dead and idle', { pulse: { ...WELL.pulse, health: 0, srttMs: 2_000 }, lost: 3 }, 0],
];
for (const [name, facts, wanted] of SCORES) {
  test(`the score of one that is ${name} is ${wanted}`, () => {
    near(scoreOf({ ...WELL, ...facts }).score, wanted);
  });
}

test('the sum alone would give 0.4 to one that is dead and idle', () => {
  const pulse = { ...WELL.pulse, health: 0, srttMs: 2_000 };
  near(scoreOf({ ...WELL, pulse, lost: 3 }).base, 0.4);
});

test('after steady probes the first, second and third that is lost take it to 0.575, 0.255 and 0', () => {
  const wanted = [
    [50, 0.575],
    [125, 0.255],
    [312.5, 0],
  ] as const;
  let pulse = STEADY;
  for (const [i, [srttMs, score]] of wanted.entries()) {
    pulse = probed(['lost'], pulse);
    near(pulse.srttMs, srttMs);
    near(scoreOf({ ...WELL, now: pulse.probedAt ?? 0, pulse, lost: i + 1 }).score, score);
  }
});

test('four lost probes take health to 0.794, 0.630, 0.500 and 0.397', () => {
  let pulse = STEADY;
  for (const wanted of [0.794, 0.63, 0.5, 0.397]) {
    pulse = probed(['lost'], pulse);
    near(pulse.health, wanted);
  }
});

test('round trips of 0, 20, 100, 500 and 2000 ms count 0, 0.150, 0.388, 0.706 and 1', () => {
  const wanted = [
    [0, 0],
    [20, 0.15],
    [100, 0.388],
    [500, 0.706],
    [2_000, 1],
  ] as const;
  for (const [srttMs, part] of wanted)
    near(scoreOf({ ...WELL, pulse: at(srttMs) }).parts.rtt, part);
});

test('before its first probe nobody knows: health is a half, and the first one says it all', () => {
  near(scoreOf({ ...WELL, pulse: NO_PULSE }).parts.health, 0.5);
  assert.equal(probed(['lost']).health, 0);
  assert.equal(probed([20]).health, 1);
});

test('what is usual is the median of its own trips, within 20 and 250 ms', () => {
  assert.equal(usualOf(probed([200, 200, 1_900])), 200);
  assert.equal(usualOf(probed([1, 2, 3])), 20);
  assert.equal(usualOf(probed([900])), 250);
  near(scoreOf({ ...WELL, pulse: probed([200]) }).parts.rtt, 0.289);
});

test('trips of ten minutes are kept, however often it is probed', () => {
  let pulse = NO_PULSE;
  for (let ms = 0; ms < 1_200_000; ms += 250) {
    pulse = withProbe(pulse, {
      at: ms,
      rttMs: ms < 500_000 ? 100 : 40,
      timeoutMs: 2_000,
      isWell: true,
    });
  }
  assert.ok(pulse.trips.length <= 120, `${pulse.trips.length}`);
  assert.equal(pulse.usualMs, 40);
});

test('trips of one that is not well say nothing of what is usual', () => {
  const sick = withProbe(STEADY, { at: 300_000, rttMs: 1_500, timeoutMs: 2_000, isWell: false });
  assert.equal(sick.trips, STEADY.trips);
});

test('failures cap the score from 20 runs on: a fifth at 0.69, a half at 0.30', () => {
  const score = (runs: number, failures: number) => scoreOf({ ...WELL, runs, failures }).score;
  assert.equal(score(20, 4), 0.69);
  assert.ok(score(20, 3) > 0.9);
  assert.equal(score(20, 10), 0.3);
  assert.ok(score(19, 19) > 0.8, '19 runs say too little');
  const [cap] = scoreOf({ ...WELL, runs: 40, failures: 30 }).caps;
  assert.deepEqual(cap, { max: 0.3, reason: '75 % of 40 runs failed' });
});

test('more than one slow run of twenty, or three probes ten times as slow as usual, cap it at 0.49', () => {
  assert.equal(scoreOf({ ...WELL, runs: 20, slow: 2 }).score, 0.49);
  assert.ok(scoreOf({ ...WELL, runs: 20, slow: 1 }).score > 0.9);
  assert.ok(scoreOf({ ...WELL, runs: 19, slow: 19 }).score > 0.9);

  const twice = probed([1_900, 1_900], STEADY);
  assert.equal(scoreOf({ ...WELL, pulse: twice, now: twice.probedAt ?? 0 }).caps.length, 0);
  const thrice = probed([1_900], twice);
  const { score, caps } = scoreOf({ ...WELL, pulse: thrice, now: thrice.probedAt ?? 0 });
  assert.equal(score, 0.49);
  assert.match(caps[0]?.reason ?? '', /ten times as long as usual/);
});

test('one that says that it is busy is full, and full is no illness', () => {
  const { score, steady, caps } = scoreOf({ ...WELL, isBusy: true });
  assert.equal(score, 0.49);
  assert.ok(steady > 0.6);
  assert.deepEqual(caps, [{ max: 0.49, reason: 'it is full' }]);
});

test('without a probe for three intervals the score halves each half minute, and says so', () => {
  const later = (now: number) => scoreOf({ ...WELL, now });
  assert.equal(later(15_000).stale, false);
  assert.equal(later(15_001).stale, true);
  near(later(45_000).score, 0.97 / 2);
  near(later(75_000).score, 0.97 / 4);
});

test('what comes for its work is not probed: it is well, and nothing of it is stale', () => {
  const facts = { ...WELL, isProbed: false, pulse: NO_PULSE, now: 86_400_000 };
  assert.deepEqual([scoreOf(facts).score, scoreOf(facts).stale], [1, false]);
});

test('one that is away or taken out has 0, whatever it was', () => {
  assert.equal(scoreOf({ ...WELL, isPresent: false }).score, 0);
});

test('it is degraded below 0.5 and well again above 0.6, twice in a row', () => {
  const after = (scores: readonly number[]) => {
    let band = { isDegraded: false, wellInRow: 0 };
    return scores.map((score) => {
      band = nextBand(band, score);
      return band.isDegraded ? 'D' : '-';
    });
  };
  assert.equal(after([0.5, 0.499, 0.6, 0.61, 0.6, 0.61, 0.61, 0.55, 0.49]).join(''), '-DDDDD--D');
});

const part = fc.double({ min: 0, max: 1, noNaN: true });
const anyFacts: fc.Arbitrary<ScoreFacts> = fc
  .record({
    isPresent: fc.boolean(),
    isProbed: fc.boolean(),
    pulse: fc.record({
      health: part,
      srttMs: fc.option(fc.double({ min: 0, max: 5_000, noNaN: true }), { nil: undefined }),
      usualMs: fc.option(fc.double({ min: 0, max: 5_000, noNaN: true }), { nil: undefined }),
      slowInRow: fc.nat(5),
      probedAt: fc.option(fc.nat(100_000), { nil: undefined }),
    }),
    lost: fc.nat(5),
    now: fc.integer({ min: 100_000, max: 1_000_000 }),
    probeIntervalMs: fc.integer({ min: 250, max: 60_000 }),
    probeTimeoutMs: fc.integer({ min: 50, max: 60_000 }),
    inflight: fc.nat(300),
    waiting: fc.nat(300),
    reportedPending: fc.nat(1_000),
    isBusy: fc.boolean(),
    capacity: fc.integer({ min: 1, max: 300 }),
    runs: fc.nat(100),
    failures: fc.nat(100),
    slow: fc.nat(100),
  })
  .map((facts) => ({
    ...facts,
    failures: Math.min(facts.runs, facts.failures),
    slow: Math.min(facts.runs, facts.slow),
  }));

test('a score is always within 0 and 1, and never above what the formula gives', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { score, base, steady } = scoreOf(facts);
      assert.ok(score >= 0 && score <= 1 && score <= steady && steady <= base + 1e-12);
    }),
    { seed, numRuns: 2_000 },
  );
});

/** Each makes one thing worse. */
const WORSE: Readonly<Record<string, (facts: ScoreFacts) => ScoreFacts>> = {
  'a lost probe in a row': (facts) => ({ ...facts, lost: facts.lost + 1 }),
  'less health': (facts) => ({
    ...facts,
    pulse: { ...facts.pulse, health: facts.pulse.health / 2 },
  }),
  'a longer round trip': (facts) => ({
    ...facts,
    pulse: { ...facts.pulse, srttMs: (facts.pulse.srttMs ?? 0) * 1.5 + 1 },
  }),
  'slow once more': (facts) => ({
    ...facts,
    pulse: { ...facts.pulse, slowInRow: facts.pulse.slowInRow + 1 },
  }),
  'one more in flight': (facts) => ({ ...facts, inflight: facts.inflight + 1 }),
  'one more in line': (facts) => ({ ...facts, waiting: facts.waiting + 1 }),
  'more by its own word': (facts) => ({ ...facts, reportedPending: facts.reportedPending * 2 + 1 }),
  'that it says it is busy': (facts) => ({ ...facts, isBusy: true }),
  'a run that failed instead': (facts) => ({
    ...facts,
    failures: Math.min(facts.runs, facts.failures + 1),
  }),
  'a run that was slow instead': (facts) => ({
    ...facts,
    slow: Math.min(facts.runs, facts.slow + 1),
  }),
  'a later look': (facts) => ({ ...facts, now: facts.now + 1_000 }),
  'that it is away': (facts) => ({ ...facts, isPresent: false }),
};
for (const [name, worse] of Object.entries(WORSE)) {
  test(`the score never rises by ${name}`, (t) => {
    const { seed } = testRandom((line) => t.diagnostic(line));
    fc.assert(
      fc.property(anyFacts, (facts) => {
        assert.ok(scoreOf(worse(facts)).score <= scoreOf(facts).score + 1e-12);
      }),
      { seed, numRuns: 500 },
    );
  });
}

test('what an instance says of itself never raises its score above what was seen', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const silent = scoreOf({ ...facts, reportedPending: 0, isBusy: false }).score;
      assert.ok(scoreOf(facts).score <= silent + 1e-12);
    }),
    { seed, numRuns: 1_000 },
  );
});

test('a lost probe never raises a score that is not stale', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const story = fc.array(fc.oneof(fc.nat(2_000), fc.constant('lost' as const)), { maxLength: 60 });
  fc.assert(
    fc.property(story, (before) => {
      const pulse = probed([20, ...before]);
      const lost = before.length - 1 - before.findLastIndex((one) => one !== 'lost');
      const score = scoreOf({ ...WELL, pulse, lost, now: pulse.probedAt ?? 0 }).score;
      const then = probed(['lost'], pulse);
      const after = scoreOf({ ...WELL, pulse: then, lost: lost + 1, now: then.probedAt ?? 0 });
      assert.ok(after.score <= score + 1e-12, `${score} ${after.score}`);
    }),
    { seed, numRuns: 500 },
  );
});
