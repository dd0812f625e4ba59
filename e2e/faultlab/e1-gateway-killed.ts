import { pause } from '../kit/bounds.ts';
import type { Evidence } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { firstStartMs, startsByTask } from './runs.ts';
import { dealt, requests } from './submit-plan.ts';
import { type RunNote, TYPES } from './work.ts';

const FULL = { tasks: 200, agents: 5, places: 4, ms: 2_000, awayMs: [1_000, 40_000], pushed: 40 };
const SHORT = { tasks: 24, agents: 2, places: 4, ms: 400, awayMs: [1_000], pushed: 8 };

/**
 * A gateway dies in the middle of everything and comes back after a while. Its agents go on with
 * what they have, so where it was the only one nothing may be begun twice: neither the work that
 * ended while it was away nor the work whose lease ran out meanwhile. Where there is another, that
 * one carries on, and sends again what the dead one had been sending. A third is kept in order.
 */
export const gatewayKilled: Experiment = {
  id: 'E1',
  title: 'a gateway is killed in the middle of tasks, and comes back after 1 and 40 s',
  rounds: 4,
  round,
};

async function round({ random, isShort, number, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const awayMs = size.awayMs[number % size.awayMs.length] ?? 0;
  await using lab = await Lab.open(world);
  await lab.labourers(size.agents, { places: size.places });
  const isAlone = world.gateways === 1;
  if (!isAlone) await lab.labourers(2, { places: size.places, port: 0 });
  const submitted = Promise.all([
    lab.submit({ insist: 'acceptance', clients: [pulledTasks(size)] }),
    ...(isAlone ? [] : [lab.submit({ insist: 'acceptance', clients: pushedTasks(size) })]),
  ]);

  await lab.noted(1, ({ word }) => word === 'start');
  lab.watch([...lab.acked()].slice(0, 20));
  await pause(random.next() * size.ms * 2);
  const victim = lab.gatewayAt(random.below(world.gateways));
  const killedAt = monotonicUs();
  await victim.kill();
  await pause(awayMs);
  await victim.restart();
  const backAt = monotonicUs();
  await submitted;
  await lab.settled();

  const evidence = await lab.evidence();
  return isAlone
    ? judgeAlone(evidence, { awayMs, backAt })
    : judgeTogether(evidence, { awayMs, killedAt });
}

// One client: what was not answered and is repeated must not come after what it goes before.
function pulledTasks({ tasks, ms }: typeof FULL) {
  return requests('t', tasks, (n) => ({
    task_type: TYPES.work,
    payload: { ms, ...(n % 3 === 0 ? { key: `s${n % 4}`, seq: n } : {}) },
    ...(n % 3 === 0 ? { source_id: `s${n % 4}`, ordered: true } : {}),
  }));
}

function pushedTasks({ pushed, ms }: typeof FULL) {
  // Twice as long: each is under way when the gateway that sent it dies.
  const payload = { ms: 2 * ms };
  const all = requests('pushed', pushed, () => ({ task_type: TYPES.pushed, payload }));
  return dealt(all, 4);
}

function judgeAlone(evidence: Evidence, { awayMs, backAt }: { awayMs: number; backAt: number }) {
  const demands = new Demands();
  for (const [task, starts] of startsByTask(evidence.runs)) {
    demands.that(starts.length === 1, `was begun ${starts.length} times`, task);
  }
  return {
    evidence,
    faults: demands.faults,
    measured: {
      [`first start after ${awayMs / 1_000} s away, ms`]: firstStartMs(evidence.runs, backAt),
    },
  };
}

function judgeTogether(
  evidence: Evidence,
  { awayMs, killedAt }: { awayMs: number; killedAt: number },
): Outcome {
  const since = (at: number) => (at - killedAt) / 1_000;
  const isPushed = ({ task }: RunNote) => task.startsWith('pushed-');
  const gapMs = (fits: (run: RunNote) => boolean) =>
    firstStartMs(evidence.runs.filter(fits), killedAt);
  const again = [...startsByTask(evidence.runs).values()].filter(({ length }) => length > 1);
  const away = `, ${awayMs / 1_000} s away`;
  return {
    evidence,
    faults: [],
    measured: {
      [`first start after the kill, ms${away}`]: gapMs((run) => !isPushed(run)),
      [`first pushed start after the kill, ms${away}`]: gapMs(isPushed),
      'pushed tasks of the dead gateway begin again after, ms': again
        .filter(([first]) => first !== undefined && isPushed(first))
        .map((starts) => since(starts[1]?.at ?? 0)),
      'fetched tasks begun twice, for a lost lease': [
        again.filter(([first]) => first !== undefined && !isPushed(first)).length,
      ],
    },
  };
}
