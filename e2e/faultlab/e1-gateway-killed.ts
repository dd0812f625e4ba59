import { pause } from '../kit/bounds.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { requests } from './submit-plan.ts';
import { type RunNote, TYPES } from './work.ts';

const FULL = { tasks: 200, agents: 5, places: 4, ms: 2_000, awayMs: [1_000, 40_000] };
const SHORT = { tasks: 24, agents: 2, places: 4, ms: 400, awayMs: [1_000] };

/**
 * The gateway dies in the middle of everything and comes back after a while. Its agents go on with
 * what they have, so nothing may be begun twice: neither the work that ended while the gateway was
 * away nor the work whose lease ran out meanwhile. A third of the tasks are kept in order.
 */
export const gatewayKilled: Experiment = {
  id: 'E1',
  title: 'the gateway is killed in the middle of tasks, and comes back after 1 and 40 s',
  rounds: 4,
  round,
};

async function round({ store, random, isShort, number }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const awayMs = size.awayMs[number % size.awayMs.length] ?? 0;
  await using lab = await Lab.open(store);
  await lab.labourers(size.agents, { places: size.places });
  const submitted = lab.submit({
    insist: 'acceptance',
    // One client: what was not answered and is repeated must not come after what it goes before.
    clients: [
      requests('t', size.tasks, (n) => ({
        task_type: TYPES.work,
        payload: { ms: size.ms, ...(n % 3 === 0 ? { key: `s${n % 4}`, seq: n } : {}) },
        ...(n % 3 === 0 ? { source_id: `s${n % 4}`, ordered: true } : {}),
      })),
    ],
  });

  await lab.noted(1, ({ word }) => word === 'start');
  lab.watch([...lab.acked()].slice(0, 20));
  await pause(random.next() * size.ms * 2);
  await lab.gateway.kill();
  await pause(awayMs);
  await lab.gateway.restart();
  const backAt = monotonicUs();
  await submitted;
  await lab.settled();

  const evidence = await lab.evidence();
  const demands = new Demands();
  for (const [task, starts] of startsByTask(evidence.runs)) {
    demands.that(starts.length === 1, `was begun ${starts.length} times`, task);
  }
  const first = evidence.runs.find(({ word, at }) => word === 'start' && at > backAt);
  const claimMs = first === undefined ? [] : [(first.at - backAt) / 1_000];
  return {
    evidence,
    faults: demands.faults,
    measured: { [`first start after ${awayMs / 1_000} s away, ms`]: claimMs },
  };
}

function startsByTask(runs: readonly RunNote[]): Map<string, RunNote[]> {
  return Map.groupBy(
    runs.filter(({ word }) => word === 'start'),
    ({ task }) => task,
  );
}
