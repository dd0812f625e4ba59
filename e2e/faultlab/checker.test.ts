import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskState } from '@agent-reach/core';
import { check } from './checker.ts';
import type { Evidence, KeptLine, KeptTask } from './evidence.ts';
import type { Rule } from './rules.ts';
import type { RunNote } from './work.ts';

const line = (
  version: number,
  from: TaskState | undefined,
  cause: KeptLine['cause'],
  to: TaskState,
): KeptLine => ({ version, ...(from === undefined ? {} : { from }), cause, to });

const DONE: KeptLine[] = [
  line(1, undefined, 'submitted', 'queued'),
  line(2, 'queued', 'claimed', 'delivered'),
  line(3, 'delivered', 'acked', 'running'),
  line(4, 'running', 'completed', 'succeeded'),
];

const DIED: KeptLine[] = [
  ...DONE.slice(0, 3),
  line(4, 'running', 'lease-lost', 'waiting'),
  line(5, 'waiting', 'due', 'queued'),
  line(6, 'queued', 'claimed', 'delivered'),
  line(7, 'delivered', 'acked', 'running'),
  line(8, 'running', 'completed', 'succeeded'),
];

function task(history: readonly KeptLine[], more: Partial<KeptTask> = {}): KeptTask {
  const last = history.at(-1);
  const { to: state = 'queued', version = 0 } = last ?? {};
  return { state, version, deliveries: 1, attempts: 1, history, ...more };
}

let tick = 0;
function note(word: RunNote['word'], of: string, run: string, more: Partial<RunNote> = {}) {
  return { word, task: of, run, at: ++tick, pid: 1, attempt: 1, ...more };
}

/** Two tasks of one source that were done one after the other. */
function good(): Evidence & { kept: Map<string, KeptTask>; runs: RunNote[] } {
  const first = { key: 's', seq: 1 };
  const second = { key: 's', seq: 2 };
  return {
    acked: new Set(['a', 'b']),
    runs: [
      note('start', 'a', 'r1', first),
      note('finish', 'a', 'r1', first),
      note('start', 'b', 'r2', second),
      note('finish', 'b', 'r2', second),
    ],
    kept: new Map([
      ['a', task(DONE, { run: 'r1' })],
      ['b', task(DONE, { run: 'r2' })],
    ]),
    seen: [{ task: 'a', state: 'succeeded', run: 'r1' }],
    counts: {},
    damage: [],
  };
}

test('nothing is said of a round in which all went well', () => {
  assert.deepEqual(check(good()), []);
});

test('a run that a lost lease explains is right, also if it was cut off', () => {
  const evidence = good();
  const cut = note('start', 'a', 'r0', { key: 's', seq: 1, at: 0 });
  evidence.kept.set('a', task(DIED, { run: 'r1' }));

  assert.deepEqual(check({ ...evidence, runs: [cut, ...evidence.runs] }), []);
});

test('a parked task is no lost one, and it is counted', () => {
  const evidence = good();
  evidence.kept.set('b', task([...DONE.slice(0, 3), line(4, 'running', 'needs-decision', 'dead')]));

  assert.deepEqual(check({ ...evidence, counts: { dead: 1 } }), []);
});

/** A planted fault: what is changed in a good round, and the rule that must see it. */
const PLANTED: Record<
  string,
  { rule: Rule; plant: (evidence: ReturnType<typeof good>) => object }
> = {
  'an acknowledged task that is nowhere': {
    rule: 'P1',
    plant: ({ acked }) => ({ acked: new Set([...acked, 'c']) }),
  },
  'an acknowledged task that never ends': {
    rule: 'P2',
    plant: ({ kept }) => ({ kept: kept.set('b', task(DONE.slice(0, 1))), counts: { queued: 1 } }),
  },
  'a task that ended twice': {
    rule: 'P2',
    plant: ({ kept }) => ({
      kept: kept.set('a', task([...DONE, line(5, 'succeeded', 'completed', 'failed')])),
    }),
  },
  'a result of a run that nobody finished': {
    rule: 'P2',
    plant: ({ kept }) => ({ kept: kept.set('a', task(DONE, { run: 'r9' })) }),
  },
  'a success without a result': {
    rule: 'P2',
    plant: ({ kept }) => ({ kept: kept.set('a', task(DONE)) }),
  },
  'a caller who was told another result than the stored one': {
    rule: 'P2',
    plant: () => ({ seen: [{ task: 'a', state: 'succeeded', run: 'r2' }] }),
  },
  'a caller who was told of an end that is none': {
    rule: 'P2',
    plant: () => ({ seen: [{ task: 'a', state: 'failed' }] }),
  },
  'a second run without a reason': {
    rule: 'P3',
    plant: ({ runs }) => ({ runs: [note('start', 'a', 'r0', { at: 0 }), ...runs] }),
  },
  'a run of a task that the store does not know': {
    rule: 'P3',
    plant: ({ runs }) => ({ runs: [...runs, note('start', 'ghost', 'r7')] }),
  },
  'tasks of one source at once': {
    rule: 'P4',
    plant: ({ runs: [a, aEnd, b, bEnd] }) => ({
      runs: [a, b, { ...aEnd, at: (b?.at ?? 0) + 0.5 }, bEnd],
    }),
  },
  'tasks of one source in the wrong order': {
    rule: 'P4',
    plant: ({ runs }) => ({ runs: runs.map((run) => ({ ...run, seq: 3 - (run.seq ?? 0) })) }),
  },
  'a task that began though the one before it was cut off for good': {
    rule: 'P4',
    plant: ({ runs: [a, , b, bEnd] }) => ({ runs: [a, b, bEnd] }),
  },
  'a move that is not in the table': {
    rule: 'P5',
    plant: ({ kept }) => ({
      kept: kept.set('a', task([...DONE.slice(0, 1), line(2, 'queued', 'completed', 'succeeded')])),
    }),
  },
  'a history with a hole': {
    rule: 'P5',
    plant: ({ kept }) => ({
      kept: kept.set(
        'a',
        task(
          DONE.filter(({ version }) => version !== 3),
          { run: 'r1' },
        ),
      ),
    }),
  },
  'a history that does not begin': {
    rule: 'P5',
    plant: ({ kept }) => ({ kept: kept.set('a', task(DONE.slice(1), { run: 'r1' })) }),
  },
  'a state that its history does not end in': {
    rule: 'P5',
    plant: ({ kept }) => ({ kept: kept.set('a', task(DONE, { run: 'r1', state: 'failed' })) }),
  },
  'a task that is counted and not there': { rule: 'P5', plant: () => ({ counts: { queued: 1 } }) },
  'a broken file': { rule: 'P5', plant: () => ({ damage: ['page 7 is torn'] }) },
};

for (const [what, { rule, plant }] of Object.entries(PLANTED)) {
  test(`${rule} sees ${what}`, () => {
    const evidence = good();
    const faults = check({ ...evidence, ...plant(evidence) });

    assert.ok(
      faults.some((fault) => fault.rule === rule),
      JSON.stringify(faults),
    );
  });
}
