import { until } from '../kit/bounds.ts';
import type { Evidence, KeptLine, KeptTask } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab, type Labourer, LEASE_MS } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { dealt, requests } from './submit-plan.ts';
import { type RunNote, TYPES } from './work.ts';

const FULL = { tasks: 160, agents: 6, killed: 2, places: 2, prefetch: 4, ms: 600 };
const SHORT = { tasks: 24, agents: 2, killed: 1, places: 2, prefetch: 4, ms: 300 };

/**
 * Agents die with work in their hands, begun and unbegun. What had not begun goes to others with no
 * attempt burnt, what had begun with one; a write that had begun waits for a person.
 */
export const agentKilled: Experiment = {
  id: 'E2',
  title: 'agents are killed with begun and unbegun work in their hands',
  rounds: 3,
  round,
};

async function round({ random, isShort, ...world }: Round): Promise<Outcome> {
  const { tasks, agents, killed, places, prefetch, ms } = isShort ? SHORT : FULL;
  await using lab = await Lab.open(world);
  const crew = await lab.labourers(agents, { places, prefetch });
  const wanted = requests('t', tasks, (n) => ({
    task_type: n % 8 === 7 ? TYPES.pay : TYPES.work,
    payload: { ms: ms + random.below(ms) },
  }));
  await lab.submit({ clients: dealt(wanted, 8) });

  const deaths = new Map<number, number>();
  for (const victim of crew.slice(0, killed)) {
    await busy(lab, victim, places);
    await victim.program.end('SIGKILL');
    deaths.set(Number(victim.ready['pid']), monotonicUs());
  }
  lab.watch([...lab.acked()].slice(0, 20));
  await lab.settled();

  const evidence = await lab.evidence();
  return { evidence, ...judge(evidence, deaths) };
}

/** Resolves when all places of an agent are taken, so that what else it holds is unbegun. */
async function busy(lab: Lab, { ready }: Labourer, places: number): Promise<void> {
  await until('an agent has its hands full', () => {
    const own = lab.runs().filter(({ pid }) => pid === ready['pid']);
    const ended = own.filter(({ word }) => word === 'finish').length;
    return own.filter(({ word }) => word === 'start').length - ended === places;
  });
}

function judge(evidence: Evidence, deaths: ReadonlyMap<number, number>) {
  const demands = new Demands();
  const redelivered: number[] = [];
  const unbegun: number[] = [];
  for (const [task, one] of evidence.kept) {
    const { history, state, attempts } = one;
    const lost = history.filter(({ cause }) => cause === 'lease-lost');
    const burnt = lost.filter(({ from }) => from === 'running').length;
    const runs = evidence.runs.filter((run) => run.task === task);
    const cut = diedIn(runs, one, deaths);
    unbegun.push(lost.length - burnt);
    const parked = history.filter(({ cause }: KeptLine) => cause === 'needs-decision').length;
    demands.that(
      burnt + parked === cut.length,
      `${burnt + parked} runs burnt, ${cut.length} died`,
      task,
    );
    const isRight = state === 'dead' ? attempts === 1 : attempts === 1 + burnt;
    demands.that(isRight, `${attempts} attempts, ${burnt} burnt`, task);
    for (const run of cut) redelivered.push(...nextAfter(run, runs, deaths));
  }
  return {
    faults: demands.faults,
    measured: {
      [`a begun task is begun again after its agent's death, ms (lease ${LEASE_MS})`]: redelivered,
      'unbegun tasks that others got, no attempt burnt': [unbegun.reduce((sum, n) => sum + n, 0)],
    },
  };
}

/** Runs whose agents died before the store had their end. */
function diedIn(
  runs: readonly RunNote[],
  { run: stored }: KeptTask,
  deaths: ReadonlyMap<number, number>,
): RunNote[] {
  return runs.filter(({ word, pid, run }) => word === 'start' && deaths.has(pid) && run !== stored);
}

function nextAfter(
  cut: RunNote,
  runs: readonly RunNote[],
  deaths: ReadonlyMap<number, number>,
): number[] {
  const next = runs.find(({ word, at }) => word === 'start' && at > cut.at);
  return next === undefined ? [] : [(next.at - (deaths.get(cut.pid) ?? 0)) / 1_000];
}
