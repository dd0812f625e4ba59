import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterMove,
  type Fence,
  type FenceDoc,
  type FenceFacts,
  fenceOf,
  GRACE_MS,
  holds,
  moveOf,
  NO_FENCES,
  timesOf,
} from './fence-machine.ts';

const LIMITS = { leaseMs: 30_000, leaseMaxMs: 300_000, vetoMs: 10_000, part: 0.3 };
const T0 = 1_800_000_000_000;

/** Ten instances of one agent. */
const ALL = Array.from({ length: 10 }, (_, n) => ({ agent: 'a', instance: `a-${n}`, addr: 1 }));
const ROOM = {
  capability: 'look_up',
  members: new Set(ALL.map(({ instance }) => `a/${instance}`)),
};

/** Number `n` of a list that has it. */
function at<T>(list: readonly T[], n: number): T {
  return list[n] ?? assert.fail(`there is no ${n}`);
}

function facts(over: Partial<FenceFacts> = {}): FenceFacts {
  return {
    who: { agent: 'a', instance: 'a-0', addr: 1 },
    now: T0,
    lost: 2,
    passed: 0,
    failure: 'no answer within 2000 ms',
    isDefinite: false,
    beatAgoMs: 3_000,
    beatEveryMs: 10_000,
    calledAgoMs: undefined,
    rooms: [ROOM],
    fleet: 10,
    draw: 0.5,
    ...over,
  };
}

/** The document after a move that must be made. */
function made(doc: FenceDoc, over: Partial<FenceFacts> = {}, epoch = 1): FenceDoc {
  const said = facts(over);
  const move = moveOf(doc, said, LIMITS, epoch);
  assert.ok(move.is === 'fence' || move.is === 'lift', `the move is ${move.is}`);
  return afterMove(doc, move, said.now);
}

function last({ fences }: FenceDoc): Fence {
  const fence = fences.at(-1);
  assert.ok(fence);
  return fence;
}

test('two lost probes of one that beats are fenced, and one is not', () => {
  assert.equal(moveOf(NO_FENCES, facts({ lost: 1 }), LIMITS, 1).is, 'nothing');
  const fence = last(made(NO_FENCES));

  assert.deepEqual([fence.epoch, fence.from, fence.until], [1, T0, T0 + 30_000]);
  assert.match(fence.reason, /2 probes in a row were lost: no answer within 2000 ms/);
});

test('what is refused or answered by somebody is not fenced: nothing is in doubt', () => {
  assert.equal(moveOf(NO_FENCES, facts({ lost: 9, isDefinite: true }), LIMITS, 1).is, 'nothing');
});

test('whoever does not beat is not fenced: one beat and a half is fresh, and no more', () => {
  assert.equal(moveOf(NO_FENCES, facts({ beatAgoMs: 14_999 }), LIMITS, 1).is, 'fence');
  assert.equal(moveOf(NO_FENCES, facts({ beatAgoMs: 15_000 }), LIMITS, 1).is, 'nothing');
  assert.equal(moveOf(NO_FENCES, facts({ beatAgoMs: 0, beatEveryMs: 0 }), LIMITS, 1).is, 'nothing');
});

test('one to whom a call got through is spared for ten seconds, whatever its probes say', () => {
  const spared = moveOf(NO_FENCES, facts({ calledAgoMs: 9_999 }), LIMITS, 1);
  assert.ok(spared.is === 'spare' && !spared.isBound);
  assert.match(spared.reason, /a call got through 10 s ago/);

  assert.equal(moveOf(NO_FENCES, facts({ calledAgoMs: 10_000 }), LIMITS, 1).is, 'fence');
});

test('of ten that are lost at once three are fenced, and the fourth is spared and told why', () => {
  let doc = NO_FENCES;
  for (const who of ALL.slice(0, 3)) doc = made(doc, { who, fleet: 100 });

  const fourth = moveOf(doc, facts({ who: at(ALL, 3), fleet: 100 }), LIMITS, 4);

  assert.ok(fourth.is === 'spare' && fourth.isBound);
  assert.match(fourth.reason, /3 of 10 that offer look_up are fenced, the most/);
  // One ends: there is room for another.
  const freed = made(doc, { now: T0 + 30_000, lost: 0, passed: 2, fleet: 100 });
  const after = facts({ who: at(ALL, 3), now: T0 + 30_000, fleet: 100 });
  assert.equal(moveOf(freed, after, LIMITS, 5).is, 'fence');
});

test('the only one of its capability may be fenced, and of three one', () => {
  const room = (size: number) => [
    { capability: 'c', members: new Set([...ROOM.members].slice(0, size)) },
  ];
  const doc = made(NO_FENCES, { rooms: room(1) });
  assert.equal(doc.fences.length, 1);

  const second = moveOf(doc, facts({ who: at(ALL, 1), rooms: room(3) }), LIMITS, 2);
  assert.equal(second.is, 'spare');
});

test('no more than a fifth of the tenant is fenced within half a minute, or three', () => {
  const others = Array.from({ length: 20 }, (_, n) => ({ agent: `b${n}`, instance: 'i', addr: 1 }));
  const alone = others.map(({ agent }) => [
    { capability: agent, members: new Set([`${agent}/i`]) },
  ]);
  let doc = NO_FENCES;
  for (let n = 0; n < 4; n++)
    doc = made(doc, { who: at(others, n), rooms: at(alone, n), fleet: 20 });
  const fifth = facts({ who: at(others, 4), rooms: at(alone, 4), fleet: 20 });

  const spared = moveOf(doc, fifth, LIMITS, 5);

  assert.ok(spared.is === 'spare' && spared.isBound);
  assert.match(spared.reason, /4 were fenced within 30 s/);
  assert.equal(moveOf(doc, { ...fifth, now: T0 + 30_000 }, LIMITS, 5).is, 'fence');
  // Of a handful, three are no mass event.
  const few = { ...fifth, fleet: 4 };
  const three = { fences: doc.fences.slice(0, 3) };
  assert.equal(moveOf({ fences: doc.fences.slice(0, 2) }, few, LIMITS, 3).is, 'fence');
  assert.equal(moveOf(three, few, LIMITS, 4).is, 'spare');
});

test('it is lifted at its end and not before, by two passed probes and not by one', () => {
  const doc = made(NO_FENCES);
  const lift = (now: number, passed: number) =>
    moveOf(doc, facts({ now, lost: 0, passed }), LIMITS, 2).is;

  assert.equal(lift(T0 + 29_999, 9), 'nothing');
  assert.equal(lift(T0 + 30_000, 1), 'nothing');
  assert.equal(lift(T0 + 30_000, 2), 'lift');
});

test('each fence of one instance is twice as long, five minutes at most; ten quiet minutes forget', () => {
  const lengths: number[] = [];
  let doc = NO_FENCES;
  let now = T0;
  for (let n = 0; n < 4; n++) {
    doc = made(doc, { now }, n + 1);
    const { from, until } = last(doc);
    lengths.push(until - from);
    now = until;
  }
  assert.deepEqual(lengths, [30_000, 60_000, 120_000, 240_000]);
  doc = made(doc, { now }, 5);
  assert.equal(last(doc).until - last(doc).from, 300_000, 'at most');

  const quiet = now + 300_000 + GRACE_MS + 600_000;
  assert.equal(timesOf(doc, at(ALL, 0), quiet), 0);
  assert.equal(last(made(doc, { now: quiet }, 6)).until - quiet, 30_000);
});

test('those that begin together end apart: a tenth shorter to a tenth longer', () => {
  assert.equal(last(made(NO_FENCES, { draw: 0 })).until, T0 + 27_000);
  assert.equal(last(made(NO_FENCES, { draw: 1 })).until, T0 + 33_000);
});

test('one that nobody renews or lifts lapses by itself, soon after its end', () => {
  const doc = made(NO_FENCES);
  const who = { agent: 'a', instance: 'a-0', addr: 1 };

  assert.equal(fenceOf(doc, who, T0 + 30_000 + GRACE_MS - 1)?.epoch, 1);
  assert.equal(fenceOf(doc, who, T0 + 30_000 + GRACE_MS), undefined);
});

test('who comes at another address, or as another process, is not fenced, but what was is counted', () => {
  const doc = made(NO_FENCES);
  const anew = { agent: 'a', instance: 'a-0', addr: 2 };

  assert.equal(fenceOf(doc, anew, T0 + 1), undefined);
  const again = last(made(doc, { who: anew, now: T0 + 1 }, 2));
  assert.equal(again.until - again.from, 60_000);
});

/** What happens to one instance in one step of a tape. */
interface Step {
  waitMs: number;
  who: number;
  passed: boolean;
  beatAgoMs: number;
  call: boolean;
  draw: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  waitMs: fc.integer({ min: 0, max: 8_000 }),
  who: fc.integer({ min: 0, max: 9 }),
  passed: fc.boolean(),
  beatAgoMs: fc.integer({ min: 0, max: 20_000 }),
  call: fc.boolean(),
  draw: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** What came of a tape: every fence in its order, and the document at the end. */
function play(tape: readonly Step[], each: (doc: FenceDoc, now: number) => void) {
  const seen = ALL.map(() => ({ lost: 0, passed: 0, calledAt: -Infinity }));
  const begun: { fence: Fence; facts: FenceFacts }[] = [];
  const lifted: { fence: Fence; at: number; passed: number }[] = [];
  let doc = NO_FENCES;
  let now = T0;
  let epoch = 1;
  for (const { waitMs, who: n, passed, beatAgoMs, call, draw } of tape) {
    now += waitMs;
    const [who, one] = [at(ALL, n), at(seen, n)];
    one.lost = passed ? 0 : one.lost + 1;
    one.passed = passed ? one.passed + 1 : 0;
    if (call && passed) one.calledAt = now;
    const calledAgoMs = one.calledAt === -Infinity ? undefined : now - one.calledAt;
    const { lost } = one;
    const said = facts({
      who,
      now,
      lost,
      passed: one.passed,
      beatAgoMs,
      calledAgoMs,
      draw,
      fleet: 100,
    });
    const move = moveOf(doc, said, LIMITS, epoch);
    if (move.is === 'fence') begun.push({ fence: move.fence, facts: said });
    if (move.is === 'lift') lifted.push({ fence: move.fence, at: now, passed: one.passed });
    if (move.is === 'fence' || move.is === 'lift') {
      doc = afterMove(doc, move, now);
      epoch += 1;
    }
    each(doc, now);
  }
  return { begun, lifted, doc, now };
}

test('on any tape of probes, beats and calls fences keep their bounds and never flap', () => {
  const most = 3;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (tape) => {
      const { begun, lifted, doc, now } = play(tape, (present, at) => {
        const held = present.fences.filter((fence) => holds(fence, at));
        assert.ok(held.length <= most, `${held.length} at once`);
        assert.equal(new Set(held.map(({ instance }) => instance)).size, held.length);
      });
      for (const [n, { fence, facts: why }] of begun.entries()) {
        assert.ok(why.lost >= 2 && why.beatAgoMs < 15_000);
        assert.ok(why.calledAgoMs === undefined || why.calledAgoMs >= LIMITS.vetoMs);
        const length = fence.until - fence.from;
        assert.ok(length >= 27_000 && length <= 330_000, `${length} ms`);
        const before = begun.slice(0, n).findLast((one) => one.fence.instance === fence.instance);
        assert.ok(begun[n - 1] === undefined || fence.epoch > (begun[n - 1]?.fence.epoch ?? 0));
        // What never flaps: from one beginning to the next at least its whole length passes.
        if (before !== undefined) assert.ok(fence.from >= before.fence.until);
      }
      for (const { fence, at, passed } of lifted) assert.ok(at >= fence.until && passed >= 2);
      // Nobody is there any more, and every fence is over all the same.
      const end = now + 330_000 + GRACE_MS;
      assert.ok(doc.fences.every((fence) => !holds(fence, end)));
    }),
  );
});

test('however an instance comes and goes, it is fenced five times in ten minutes at most', () => {
  const bad = fc.record({ waitMs: fc.integer({ min: 250, max: 2_000 }), passed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(bad, { minLength: 300, maxLength: 800 }), (tape) => {
      const steps = tape.map((one) => ({ ...one, who: 0, beatAgoMs: 0, call: false, draw: 0 }));
      const { begun } = play(steps, () => {});
      for (const { fence } of begun) {
        const near = begun.filter(
          (one) => one.fence.from >= fence.from && one.fence.from < fence.from + 600_000,
        );
        assert.ok(near.length <= 5, `${near.length}`);
      }
    }),
  );
});
