import { pause } from '../kit/bounds.ts';
import type { Evidence } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { type Probed, residentMb, submitting } from './probe.ts';
import { firstStartMs, startsByTask } from './runs.ts';
import type { World } from './site.ts';
import { dealt, requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

type Side = 'store' | 'agents';
/** `freeze`: what was held back comes in the end. `half-open`: it never does. */
type Kind = 'freeze' | 'half-open' | 'reset';

interface Stall {
  side: Side;
  kind: Kind;
  ms: number;
}

const STALLS: readonly Stall[] = [
  { side: 'store', kind: 'freeze', ms: 5_000 },
  { side: 'agents', kind: 'freeze', ms: 5_000 },
  { side: 'store', kind: 'reset', ms: 0 },
  { side: 'agents', kind: 'reset', ms: 0 },
  { side: 'store', kind: 'half-open', ms: 5_000 },
  { side: 'agents', kind: 'half-open', ms: 5_000 },
  { side: 'store', kind: 'freeze', ms: 40_000 },
  { side: 'agents', kind: 'freeze', ms: 40_000 },
  { side: 'store', kind: 'freeze', ms: 120_000 },
  { side: 'agents', kind: 'freeze', ms: 120_000 },
];
const FULL = { long: 12, tasks: 200, agents: 3, places: 8, ms: 400 };
const SHORT = { long: 4, tasks: 24, agents: 2, places: 4, ms: 100 };
/** Work that is under way through the whole stall takes so much longer than it. */
const LONGER_MS = 3_000;
/** Refusals come after two seconds; the rest is for a machine that has other work. */
const REFUSED_MS_MAX = 4_000;
/** A gateway may grow by so much while it can do nothing; what piles up would be more. */
const GROWTH_MB_MAX = 96;

/**
 * The network stands still between gateways and their store, or their agents, or drops what it
 * carried. Whoever asks meanwhile is told so soon; afterwards leases have their grace, so that what
 * went on is not begun anew, and no end is told twice.
 */
export const stalls: Experiment = {
  id: 'E4',
  title: 'the network stands still, forgets connections, or resets them',
  rounds: STALLS.length,
  missing: ({ store }: World) => (store.isShared ? undefined : 'there is no wire to its store'),
  round,
};

async function round({ isShort, number, random, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const stall = STALLS[number % STALLS.length] ?? { side: 'store', kind: 'freeze', ms: 5_000 };
  await using lab = await Lab.open(world, { wires: stall.side });
  await lab.labourers(size.agents, { places: size.places });
  const long = requests('long', size.long, () => ({
    task_type: TYPES.work,
    payload: { ms: stall.ms + LONGER_MS },
    priority: 9,
  }));
  await lab.submit({ insist: 'acceptance', clients: [long] });
  await lab.noted(size.long, ({ word, task }) => word === 'start' && task.startsWith('long-'));
  const submitted = lab.submit({
    insist: 'acceptance',
    paceMs: 20,
    clients: dealt(
      requests('t', size.tasks, () => ({
        task_type: TYPES.work,
        payload: { ms: random.below(2 * size.ms) },
      })),
      4,
    ),
  });
  await lab.noted(1, ({ word, task }) => word === 'start' && task.startsWith('t-'));
  lab.watch([...lab.acked()].slice(0, 20));

  const told = await suffer(lab, stall);
  const backAt = monotonicUs();
  await submitted;
  await lab.settled();

  const evidence = await lab.evidence();
  return { evidence, ...judge(evidence, { stall, told, backAt }) };
}

/** What was told meanwhile, and by how much the gateways grew. */
interface Told {
  answers: readonly Probed[];
  grownMb: readonly number[];
}

async function suffer(lab: Lab, { kind, ms }: Stall): Promise<Told> {
  const wires = lab.site.wires.flat();
  if (kind === 'reset') {
    for (const wire of wires) wire.cut();
    return { answers: [], grownMb: [] };
  }
  const { gateways } = lab.site;
  const before = gateways.map(({ pid }) => residentMb(pid) ?? 0);
  for (const wire of wires) wire.freeze();
  const probes = gateways.map((gateway, n) => submitting(gateway, `probe-${n}`));
  await pause(ms);
  const answers = (await Promise.all(probes.map((probe) => probe.end()))).flat();
  const grownMb = gateways.map(({ pid }, n) => (residentMb(pid) ?? 0) - (before[n] ?? 0));
  for (const wire of wires)
    if (kind === 'freeze') wire.thaw();
    else wire.forget();
  return { answers, grownMb };
}

function judge(
  evidence: Evidence,
  { stall, told, backAt }: { stall: Stall; told: Told; backAt: number },
): Pick<Outcome, 'faults' | 'measured'> {
  const demands = new Demands();
  const about = `${stall.side}, ${stall.kind} ${stall.ms / 1_000} s`;
  const [slowest = 0] = told.answers.map(({ tookMs }) => tookMs).toSorted((a, b) => b - a);
  demands.that(slowest <= REFUSED_MS_MAX, `somebody waited ${slowest} ms for an answer`);
  for (const { status, code } of told.answers) {
    const isRight = stall.side === 'agents' ? status === 200 : code === 'store-unavailable';
    demands.that(isRight, `meanwhile was answered ${status} ${code}`);
  }
  for (const mb of told.grownMb) demands.that(mb <= GROWTH_MB_MAX, `a gateway grew by ${mb} MB`);
  const starts = startsByTask(evidence.runs);
  const twice = [...starts].filter(([, { length }]) => length > 1).map(([task]) => task);
  if (stall.side === 'store') {
    // Nobody could speak for a lease, so none may be lost for that.
    for (const task of twice) demands.that(false, 'was begun again', task);
  }
  return {
    faults: demands.faults,
    measured: {
      [`answers meanwhile took, ms (${about})`]: told.answers.map(({ tookMs }) => tookMs),
      [`a gateway grew by, MB (${about})`]: [...told.grownMb],
      [`first start afterwards, ms (${about})`]: firstStartMs(evidence.runs, backAt),
      [`begun twice (${about})`]: [twice.length],
    },
  };
}
