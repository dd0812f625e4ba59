import { isTaskEnd, moveTask, TASK_STATES, type TaskState } from '@agent-reach/core';
import { type Evidence, type KeptLine, type KeptTask, STAYS } from './evidence.ts';
import type { Fault } from './rules.ts';
import { orderFaults } from './order-checker.ts';

/** Judges what is left of a round; no faults, no doubt. */
export function check(evidence: Evidence): Fault[] {
  return [
    ...storedFaults(evidence),
    ...endFaults(evidence),
    ...runFaults(evidence),
    ...orderFaults(evidence),
    ...historyFaults(evidence),
    ...countFaults(evidence),
  ];
}

function storedFaults({ acked, kept }: Evidence): Fault[] {
  return [...acked]
    .filter((task) => !kept.has(task))
    .map((task) => ({ rule: 'P1', task, detail: 'acknowledged, and not in the store' }));
}

/** Whether a task has come to where nothing happens by itself any more. */
export function isSettled(state: TaskState): boolean {
  return isTaskEnd(state) || state === 'dead';
}

function endFaults({ acked, kept, runs, seen }: Evidence): Fault[] {
  const faults: Fault[] = [];
  const finished = new Set(runs.filter(({ word }) => word === 'finish').map(({ run }) => run));
  const found = (task: string, detail: string) => faults.push({ rule: 'P2', task, detail });
  for (const [task, { state, history, run }] of kept) {
    if (acked.has(task) && !isSettled(state)) found(task, `never ended: it is ${state}`);
    const ends = history.filter(({ to, from }) => isTaskEnd(to) && from !== to).length;
    if (ends > 1) found(task, `ended ${ends} times`);
    if (state !== 'succeeded') continue;
    if (run === undefined || !finished.has(run)) {
      found(task, `its result is of run ${run}, which no agent has finished`);
    }
  }
  for (const { task, state, run } of seen) {
    const now = kept.get(task);
    if (now === undefined || !isTaskEnd(state)) continue;
    if (now.state !== state || now.run !== run) {
      found(task, `a caller was told ${state} (${run}), stored is ${now.state} (${now.run})`);
    }
  }
  return faults;
}

/** Moves after which it is right that a task runs once more. */
const REASONS: ReadonlySet<KeptLine['cause']> = new Set([
  'lease-lost',
  'retry',
  'released',
  'postponed',
  'redriven',
]);

/** How often it is right that a task was begun. */
export function runsAllowed({ history }: KeptTask): number {
  return 1 + history.filter(({ cause }) => REASONS.has(cause)).length;
}

function runFaults({ kept, runs }: Evidence): Fault[] {
  const faults: Fault[] = [];
  const starts = Map.groupBy(
    runs.filter(({ word }) => word === 'start'),
    ({ task }) => task,
  );
  for (const [task, { length }] of starts) {
    const one = kept.get(task);
    if (one === undefined) {
      faults.push({ rule: 'P3', task, detail: 'was run, and is not in the store' });
      continue;
    }
    const allowed = runsAllowed(one);
    if (length <= allowed) continue;
    faults.push({ rule: 'P3', task, detail: `was run ${length} times, ${allowed} have a reason` });
  }
  return faults;
}

function historyFaults({ kept }: Evidence): Fault[] {
  return [...kept].flatMap(([task, one]) => {
    const detail = historyFault(one);
    return detail === undefined ? [] : [{ rule: 'P5' as const, task, detail }];
  });
}

function historyFault({ history, state, version }: KeptTask): string | undefined {
  const [first, ...later] = history;
  if (first?.cause !== 'submitted') return 'its history does not begin with its submission';
  let last: KeptLine = first;
  for (const line of later) {
    const fault = lineFault(line, last);
    if (fault !== undefined) return `line ${line.version}: ${fault}`;
    last = line;
  }
  if (last.to !== state) return `its history ends in ${last.to}, and it is ${state}`;
  if (last.version !== version) return `its history ends at ${last.version}, and it is ${version}`;
  return undefined;
}

function lineFault(line: KeptLine, last: KeptLine): string | undefined {
  const { from, to, cause, version } = line;
  if (version !== last.version + 1) return `comes after line ${last.version}`;
  if (from !== last.to) return `goes from ${from}, where it was ${last.to}`;
  if (cause === 'submitted') return 'was submitted twice';
  if (isStay(cause)) {
    return from === to ? undefined : `${cause} changed its state`;
  }
  return moveTask(from, cause) === to ? undefined : `no legal move: ${from} ${cause} ${to}`;
}

function countFaults({ kept, counts, damage }: Evidence): Fault[] {
  const faults: Fault[] = damage.map((detail) => ({ rule: 'P5', detail }));
  const found = Map.groupBy(kept.values(), ({ state }) => state);
  for (const state of TASK_STATES) {
    if (isTaskEnd(state)) continue;
    const there = found.get(state)?.length ?? 0;
    const counted = counts[state] ?? 0;
    if (there === counted) continue;
    faults.push({ rule: 'P5', detail: `${there} tasks are ${state}, ${counted} are counted` });
  }
  return faults;
}

function isStay(cause: KeptLine['cause']): cause is (typeof STAYS)[number] {
  return (STAYS as readonly string[]).includes(cause);
}
