import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, until } from '../kit/bounds.ts';
import { openFolder } from '../kit/folder.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

/** Where Debian and its children keep it. */
const LIBRARY_PATHS = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];
const library = LIBRARY_PATHS.find((path) => existsSync(path));

const HOUR_S = 3_600;
const JUMPS_S = [HOUR_S, -HOUR_S, 24 * HOUR_S, -24 * HOUR_S];
const DELAY_MS = 4_000;
const FULL = { running: 24, delayed: 24, ms: 6_000 };
const SHORT = { running: 8, delayed: 8, ms: 3_000 };

/**
 * The wall clock of a gateway, or of the agents, jumps by an hour or a day while work runs and
 * waits. No lease may end early or late, no delay may be shorter or lost, no deadline may strike.
 * The clock that never jumps is left as it is, as it would be.
 */
export const clockJump: Experiment = {
  id: 'E6',
  title: 'the wall clock of the gateway or of an agent jumps by an hour or a day',
  rounds: 8,
  missing,
  round,
};

function missing(): string | undefined {
  return library === undefined ? 'libfaketime is not installed' : undefined;
}

async function round({ isShort, number, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const jumpS = JUMPS_S[number % JUMPS_S.length] ?? 0;
  const who = number % 8 < JUMPS_S.length ? 'gateway' : 'agent';
  await using folder = await openFolder();
  const clock = join(folder.path, 'clock');
  await writeFile(clock, '+0');
  const env = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  await using lab = await Lab.open(
    world,
    who === 'gateway' ? { each: (n) => (n === 0 ? { env } : {}) } : {},
  );
  const victim = await lab.labourer({ places: 2 }, who === 'agent' ? { env } : {});
  await lab.labourer({ places: size.running }, who === 'agent' ? { env } : {});
  await lab.submit({
    clients: [
      requests('now', size.running, () => ({
        task_type: TYPES.work,
        payload: { ms: size.ms },
        timeout: 120,
      })),
    ],
  });
  await lab.noted(size.running, ({ word }) => word === 'start');
  const later = await lab.submit({
    clients: [
      requests('later', size.delayed, () => ({
        task_type: TYPES.work,
        payload: { ms: 10 },
        delay: `${DELAY_MS}ms`,
        timeout: 120,
      })),
    ],
  });
  await writeFile(clock, `${jumpS > 0 ? '+' : ''}${jumpS}`);
  await jumped(lab, who, jumpS);
  // Its lease was given before the jump, and must end in its own time all the same.
  await victim.program.end('SIGKILL');
  await lab.settled();

  const evidence = await lab.evidence();
  const demands = new Demands();
  for (const [task, { state, run: stored }] of evidence.kept) {
    const starts = evidence.runs.filter((run) => run.task === task && run.word === 'start');
    const died = starts.filter(({ pid, run }) => pid === victim.ready['pid'] && run !== stored);
    const expected = 1 + died.length;
    demands.that(starts.length === expected, `was begun ${starts.length} times`, task);
    demands.that(state === 'succeeded', `is ${state}`, task);
  }
  const ackedAt = new Map(later.map(({ task, at }) => [task, at]));
  const delays = evidence.runs
    .filter(({ word, task }) => word === 'start' && ackedAt.has(task))
    .map(({ task, at }) => (at - (ackedAt.get(task) ?? 0)) / 1_000);
  for (const ms of delays)
    demands.that(ms > DELAY_MS - 100, `a delay of ${DELAY_MS} ms took ${ms}`);
  const name = `${who} ${jumpS > 0 ? '+' : ''}${jumpS / HOUR_S} h: a delay of ${DELAY_MS} ms took, ms`;
  return { evidence, faults: demands.faults, measured: { [name]: delays } };
}

/** Resolves when the jump has been seen: the library reads its file once a second. */
async function jumped(lab: Lab, who: string, jumpS: number): Promise<void> {
  if (who === 'agent') return pause(2_000);
  await until('the clock jumps', async () => {
    const { headers } = await lab.gateway.get('/v1/tasks?limit=1');
    const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now();
    return Math.abs(aheadMs - jumpS * 1_000) < HOUR_S * 500;
  });
}
