import { createHash } from 'node:crypto';
import { pause } from '../kit/bounds.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab, LEASE_MS } from './lab.ts';
import { monotonicUs } from './notes.ts';
import type { World } from './site.ts';
import { dealt, requests } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

/** What is left of the store's room while work runs. */
const LEFT_BYTES = 12 * 2 ** 20;
const PAYLOAD_BYTES = 100_000;
const RUNNING = 8;
const WORK_MS = 3_000;

/**
 * The store's room fills up while work runs: its disk, or what memory Redis may take. Submissions are
 * refused and say why, nothing that was acknowledged is lost, what agents bring meanwhile is stored
 * when there is room again, and nothing is run twice for it.
 */
export const diskFull: Experiment = {
  id: 'E7',
  title: 'the store has no room left, and is given room again',
  rounds: 3,
  missing,
  round,
};

function missing({ store }: World): string | undefined {
  return store.whyNotScarce();
}

async function round(world: Round): Promise<Outcome> {
  await using lab = await Lab.open(world, { isScarce: true });
  const { place } = lab.site;
  await lab.labourer({ places: RUNNING });
  await lab.submit({
    clients: [
      requests('run', RUNNING, () => ({ task_type: TYPES.work, payload: { ms: WORK_MS } })),
    ],
  });
  await lab.noted(RUNNING, ({ word }) => word === 'start');
  await place.leave?.(LEFT_BYTES);
  const notes = await lab.submit({ clients: dealt(fat(), 4) });
  // The agents bring their results to a store that is full.
  await lab.noted(RUNNING, ({ word }) => word === 'finish');
  const health = await lab.gateway.get('/health');
  // Until every lease has long run out: nobody could keep his.
  await pause(2 * LEASE_MS);
  await place.leave?.();
  const from = monotonicUs();
  const after = await lab.submit({
    insist: 'acceptance',
    clients: [requests('after', 1, () => ({ task_type: TYPES.work, payload: { ms: 1 } }))],
  });
  await lab.settled();
  const normalMs = (monotonicUs() - from) / 1_000;

  const evidence = await lab.evidence();
  const refused = notes.filter(({ status }) => status !== 200);
  const demands = new Demands();
  demands.that(refused.length > 0, 'there always was room: nothing was refused');
  judgeRefusals(refused, demands);
  demands.that(health.status === 200, `/health said ${health.status}`);
  demands.that(
    after.at(-1)?.status === 200,
    'nothing could be submitted when there was room again',
  );
  for (const task of evidence.kept.keys()) {
    const starts = evidence.runs.filter((run) => run.task === task && run.word === 'start').length;
    demands.that(starts === 1, `was begun ${starts} times`, task);
  }
  return {
    evidence,
    faults: demands.faults,
    measured: {
      'submissions refused': [refused.length],
      'everything ended after there was room again, ms': [normalMs],
    },
  };
}

/** Submissions that fill what is left, and more. Each is another one: PostgreSQL packs its rows. */
function fat() {
  const count = Math.ceil((1.5 * LEFT_BYTES) / PAYLOAD_BYTES);
  return requests('fat', count, (n) => ({
    task_type: TYPES.work,
    payload: { ms: 1, filler: shakeOf(n) },
  }));
}

/** Text that nothing can pack. */
function shakeOf(n: number): string {
  return createHash('shake256', { outputLength: (PAYLOAD_BYTES * 3) / 4 })
    .update(String(n))
    .digest('base64');
}

function judgeRefusals(refused: readonly SubmitNote[], demands: Demands): void {
  for (const { task, status, code } of refused) {
    demands.that(status === 503 && code === 'storage-full', `was answered ${status} ${code}`, task);
  }
}
