import { pause, until } from '../kit/bounds.ts';
import type { Evidence } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { firstStartMs } from './runs.ts';
import type { World } from './site.ts';
import { type LabStore, STORES } from './stores.ts';
import { dealt, type PlannedRequest, requests } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

const FULL = { tasks: 800, clients: 8, agents: 3, places: 4, ms: 60, crashes: 3, awayMs: 4_000 };
const SHORT = { tasks: 80, clients: 4, agents: 1, places: 4, ms: 30, crashes: 1, awayMs: 600 };

/** What each kind of store has that can be killed, in the order of the rounds. */
const VARIANTS: Readonly<Record<string, readonly LabStore[]>> = {
  redis: [STORES.redis, STORES['redis-everysec'], STORES['redis-volatile']],
  postgres: [STORES['postgres-own']],
};

/** Between requests of a client, so that they last through every crash. */
const PACE_MS = 80;
/** What is refused is refused after two seconds; the rest is for a machine that has other work. */
const REFUSED_MS_MAX = 4_000;
/** A log that is synced each second holds what is older. */
const LAST_MOMENT_US = 1_000_000;

/**
 * The server of the store is killed under load and comes back on what it left. What it promised to
 * keep is kept; where it promised less, what is gone is answered 404 and can be submitted again.
 */
export const storeRestarts: Experiment = {
  id: 'E3',
  title: 'the server of the store is killed under load, and comes back',
  rounds: 3,
  missing,
  round,
};

function variantsOf(store: LabStore): readonly LabStore[] {
  return VARIANTS[store.name] ?? [store];
}

async function missing({ store }: World): Promise<string | undefined> {
  if (!store.isShared) return 'the embedded store has no server';
  for (const variant of variantsOf(store)) {
    const why = await variant.missing();
    if (why !== undefined) return why;
  }
  return undefined;
}

async function round({ random, isShort, number, gateways, store }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const variants = variantsOf(store);
  const variant = variants[number % variants.length] ?? store;
  const logs = Array.from({ length: gateways }, () => '');
  const hear = (n: number) => (text: string) => {
    logs[n] += text;
  };
  await using lab = await Lab.open(
    { store: variant, gateways },
    // How refusals speak of the store is what is looked at, not how busy this machine is.
    { set: { 'overload.delay': '0' }, each: (n) => ({ heard: hear(n) }) },
  );
  await lab.labourers(size.agents, { places: size.places });
  const plan = requests('t', size.tasks, () => ({
    task_type: TYPES.work,
    payload: { ms: random.below(2 * size.ms) },
  }));
  const clients = dealt(plan, size.clients);
  const submitted = lab.submit({ insist: 'acceptance', paceMs: PACE_MS, clients });

  const crashes: { from: number; to: number }[] = [];
  for (let n = 0; n < size.crashes; n++) {
    await lab.noted(1 + (n * size.tasks) / (size.crashes + 1), ({ word }) => word === 'start');
    await pause(random.next() * 500);
    const from = monotonicUs();
    await lab.site.place.crash?.(random.next() * size.awayMs);
    crashes.push({ from, to: monotonicUs() });
  }
  const notes = await submitted;
  const demands = new Demands();
  const lost = await lostOf(lab);
  judgeLosses(variant, { lost, notes, crashes }, demands);
  await again(lab, plan, { lost, demands });
  await lab.settled();

  const evidence = withoutLost(await lab.evidence(), lost, crashes);
  judgeAnswers(notes, demands);
  const says = logs.every((log) => log.includes('keeps no log on disk'));
  demands.that(says === (variant.loses === 'everything'), `told of a store without a log: ${says}`);
  return {
    evidence,
    faults: demands.faults,
    measured: {
      [`lost, ${variant.name}`]: [lost.size],
      [`refused while it was away, ${variant.name}`]: [
        notes.filter(({ status }) => status === 503).length,
      ],
      [`a refusal took, ms, ${variant.name}`]: refusals(notes).map(({ tookMs }) => tookMs),
      [`first start after it was back, ms, ${variant.name}`]: crashes.flatMap(({ to }) =>
        firstStartMs(evidence.runs, to),
      ),
    },
  };
}

/** Acknowledged, and answered 404. */
async function lostOf(lab: Lab): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const task of lab.acked()) {
    const { status } = await until(`the fate of ${task}`, async () => {
      const reply = await lab.gateway.get(`/v1/tasks/${task}`);
      return reply.status === 503 ? undefined : reply;
    });
    if (status === 404) lost.add(task);
  }
  return lost;
}

interface Losses {
  lost: ReadonlySet<string>;
  notes: readonly SubmitNote[];
  crashes: readonly { from: number }[];
}

function judgeLosses({ loses }: LabStore, { lost, notes, crashes }: Losses, demands: Demands) {
  if (loses === 'everything') return;
  const ackedAt = new Map(notes.map(({ task, at }) => [task, at]));
  for (const task of lost) {
    const at = ackedAt.get(task) ?? 0;
    const isLast = crashes.some(({ from }) => at <= from && from - at <= LAST_MOMENT_US);
    demands.that(loses === 'last-moment' && isLast, 'acknowledged, and lost', task);
  }
}

/** What is lost can be submitted again, and then ends. */
async function again(
  lab: Lab,
  plan: readonly PlannedRequest[],
  { lost, demands }: { lost: ReadonlySet<string>; demands: Demands },
): Promise<void> {
  if (lost.size === 0) return;
  const wanted = plan.filter(({ body }) => lost.has(body.task_id));
  const notes = await lab.submit({ insist: 'acceptance', clients: dealt(wanted, 4) });
  for (const { task, status, replayed } of notes) {
    demands.that(status === 200 && replayed === false, `submitted again: ${status}`, task);
  }
}

/** A task that is new in the store was not run before it was there. */
function withoutLost(
  evidence: Evidence,
  lost: ReadonlySet<string>,
  crashes: readonly { to: number }[],
): Evidence {
  const until = crashes.at(-1)?.to ?? 0;
  const isOld = (task: string, at: number) => lost.has(task) && at <= until;
  return {
    ...evidence,
    runs: evidence.runs.filter(({ task, at, word }) => word !== 'start' || !isOld(task, at)),
  };
}

function refusals(notes: readonly SubmitNote[]): SubmitNote[] {
  return notes.filter(({ status }) => status !== 200);
}

function judgeAnswers(notes: readonly SubmitNote[], demands: Demands): void {
  for (const { task, status, code, tookMs } of refusals(notes)) {
    const isRight = status === 503 && code === 'store-unavailable';
    demands.that(isRight, `was answered ${status} ${code}`, task);
    demands.that(tookMs <= REFUSED_MS_MAX, `was refused after ${tookMs} ms`, task);
  }
}
