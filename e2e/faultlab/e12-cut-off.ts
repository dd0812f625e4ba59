import { type Delivery, ReachError } from '@agent-reach/core';
import { Reach } from '@agent-reach/sdk';
import { pause, until } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';
import type { Evidence } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab, LEASE_MS } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { type Probed, readiness, submitting } from './probe.ts';
import { firstStartMs, startsByTask } from './runs.ts';
import type { World } from './site.ts';
import { dealt, requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

const FULL = { tasks: 120, places: 4, ms: 800, awayMs: 60_000 };
const SHORT = { tasks: 16, places: 2, ms: 300, awayMs: 7_000 };
/** What was under way when the wire was cut has come to its end by then. */
const SETTLING_MS = 2_500;
/** Refusals come after two seconds; the rest is for a machine that has other work. */
const REFUSED_MS_MAX = 4_000;
const ZOMBIE = 'zombie';
const ZOMBIE_TASK = 'zombie-task';

/** `cut`: it lives, and its store is out of reach. `stopped`: it stands still, and goes on. */
type Kind = 'cut' | 'stopped';

/**
 * One of two gateways is cut off from the store, or stands still, for longer than its leases last.
 * The other carries on. The cut one refuses everything and says that it is not ready; what it, or
 * an agent behind it, says late under an old lease changes nothing.
 */
export const cutOff: Experiment = {
  id: 'E12',
  title: 'one of two gateways is cut off from the store, or stands still, for longer than leases',
  rounds: 4,
  missing: ({ gateways }: World) => (gateways < 2 ? 'it takes two gateways' : undefined),
  round,
};

async function round({ isShort, number, random, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const kind: Kind = number % 2 === 0 ? 'cut' : 'stopped';
  await using lab = await Lab.open(world, { wires: 'store' });
  const [well, sick] = [lab.gatewayAt(0), lab.gatewayAt(1)];
  await lab.labourer({ places: size.places }, { at: 0 });
  const captive = await lab.labourer({ places: size.places }, { at: 1 });
  // Each of these is sent its work by one of the two.
  await lab.labourers(2, { places: size.places, port: 0 });
  await using zombie = await Zombie.start(sick, well);
  const submitted = submitAll(lab, size, () => random.below(2 * size.ms));
  await lab.noted(1, ({ word, pid }) => word === 'start' && pid === captive.ready['pid']);
  lab.watch([...lab.acked()].slice(0, 20));

  const cutAt = monotonicUs();
  const told = await suffer(lab, kind, size.awayMs);
  const backAt = monotonicUs();
  const demands = new Demands();
  demands.that(told.claimedAgain, 'the other gateway did not hand out what the zombie held');
  await zombie.speaksLate(demands);
  await submitted;
  await lab.settled();

  const evidence = zombie.witness(await lab.evidence());
  const handedOut = evidence.runs.filter(
    ({ word, pid, at }) =>
      word === 'start' &&
      pid === captive.ready['pid'] &&
      at > cutAt + SETTLING_MS * 1_000 &&
      at < backAt,
  );
  demands.that(handedOut.length === 0, `the ${kind} gateway handed out ${handedOut.length} tasks`);
  if (kind === 'cut') judgeCut(told, demands);
  return { evidence, faults: demands.faults, measured: measure(evidence, { kind, cutAt, told }) };

  async function suffer(lab: Lab, kind: Kind, awayMs: number) {
    const wires = lab.site.wires[1] ?? [];
    if (kind === 'cut') for (const wire of wires) wire.freeze();
    else sick.signal('SIGSTOP');
    const probes =
      kind === 'cut' ? { work: submitting(sick, 'probe'), ready: readiness(sick) } : undefined;
    await pause(LEASE_MS);
    const claimedAgain = await zombie.isRobbed();
    await pause(Math.max(0, awayMs - (monotonicUs() - cutAt) / 1_000));
    const work = (await probes?.work.end()) ?? [];
    const ready = (await probes?.ready.end()) ?? [];
    if (kind === 'cut') for (const wire of wires) wire.thaw();
    else sick.signal('SIGCONT');
    return { work, ready, claimedAgain };
  }
}

interface Told {
  work: readonly Probed[];
  ready: readonly Probed[];
}

function submitAll(lab: Lab, { tasks }: typeof FULL, ms: () => number) {
  const of = (task_type: string) => () => ({ task_type, payload: { ms: ms() } });
  const wanted = [
    ...requests('t', tasks, of(TYPES.work)),
    ...requests('pushed', tasks / 2, of(TYPES.pushed)),
  ];
  return lab.submit({ insist: 'acceptance', paceMs: 50, clients: dealt(wanted, 4) }, { at: 0 });
}

function judgeCut({ work, ready }: Told, demands: Demands): void {
  for (const { status, code, tookMs } of work) {
    const isRight = status === 503 && code === 'store-unavailable';
    demands.that(isRight, `the cut gateway answered ${status} ${code}`);
    demands.that(tookMs <= REFUSED_MS_MAX, `the cut gateway answered after ${tookMs} ms`);
  }
  const firstRefusal = ready.findIndex(({ status }) => status === 503);
  demands.that(firstRefusal >= 0, 'the cut gateway never said that it is not ready');
  for (const { status } of ready.slice(Math.max(0, firstRefusal))) {
    demands.that(status === 503, `the cut gateway said of its readiness ${status}`);
  }
}

function measure(
  evidence: Evidence,
  { kind, cutAt, told }: { kind: Kind; cutAt: number; told: Told },
): Outcome['measured'] {
  const twice = [...startsByTask(evidence.runs).values()].filter(({ length }) => length > 1);
  return {
    [`first start after it, ms (${kind})`]: firstStartMs(evidence.runs, cutAt),
    [`tasks begun twice, for a lost lease (${kind})`]: [twice.length],
    [`a refusal of the cut one took, ms`]: told.work.map(({ tookMs }) => tookMs),
  };
}

/** An agent without a body: it holds a task through one gateway, and through the other later. */
class Zombie implements AsyncDisposable {
  readonly #old: { reach: Reach; delivery: Delivery };
  readonly #other: Reach;
  #again: Delivery | undefined;

  private constructor(old: { reach: Reach; delivery: Delivery }, other: Reach) {
    this.#old = old;
    this.#other = other;
  }

  /** Takes a task at `first`, and says so. */
  static async start(first: Gateway, second: Gateway): Promise<Zombie> {
    const reach = new Reach({ endpoint: first.agentUrl, agentId: ZOMBIE });
    const other = new Reach({ endpoint: second.agentUrl, agentId: ZOMBIE });
    await reach.invoke('agents.register', {
      manifest: {
        name: ZOMBIE,
        capabilities: [{ name: ZOMBIE_TASK, description: 'Waits.', effect: 'read' }],
        instance: { pull: true, instance_id: ZOMBIE },
      },
    });
    await second.reach.tasks.submit({ task_id: ZOMBIE_TASK, task_type: ZOMBIE_TASK, payload: {} });
    const delivery = await claim(reach);
    await reach.invoke('tasks.ack', { task_id: ZOMBIE_TASK, lease: delivery.lease });
    return new Zombie({ reach, delivery }, other);
  }

  /** Whether the task is handed out once more, at the other gateway. */
  async isRobbed(): Promise<boolean> {
    this.#again = await claim(this.#other);
    await this.#other.invoke('tasks.ack', { task_id: ZOMBIE_TASK, lease: this.#again.lease });
    return this.#again.attempt === 2;
  }

  /** The old holder's word comes when somebody else has the task: it must change nothing. */
  async speaksLate(demands: Demands): Promise<void> {
    const code = await until('the old holder is answered', async () => {
      const said = await this.#complete(this.#old.reach, this.#old.delivery.lease, 'old');
      return said === 'store-unavailable' ? undefined : said;
    });
    demands.that(code === 'lease-lost', `the old holder was answered ${code}`, ZOMBIE_TASK);
    const ours = await this.#complete(this.#other, this.#again?.lease ?? '', 'new');
    demands.that(ours === 'ok', `the present holder was answered ${ours}`, ZOMBIE_TASK);
    const { result } = await this.#other.tasks.get(ZOMBIE_TASK);
    const { run } = (result ?? {}) as { run?: string };
    demands.that(run === 'new', `the result is that of the ${run} holder`, ZOMBIE_TASK);
  }

  /** It keeps no book: what it did is added to what the others wrote. */
  witness(evidence: Evidence): Evidence {
    const about = { task: ZOMBIE_TASK, pid: process.pid, at: monotonicUs() };
    const finish = { ...about, word: 'finish', attempt: 2, run: 'new' } as const;
    return { ...evidence, runs: [...evidence.runs, finish] };
  }

  async #complete(reach: Reach, lease: string, run: string): Promise<string> {
    try {
      await reach.invoke('tasks.complete', { task_id: ZOMBIE_TASK, lease, result: { run } });
      return 'ok';
    } catch (error) {
      return ReachError.from(error).code;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#old.reach.close();
    await this.#other.close();
  }
}

function claim(reach: Reach): Promise<Delivery> {
  return until('the zombie’s task is handed out', async () => {
    const { tasks } = await reach.invoke('tasks.claim', {
      agent_id: ZOMBIE,
      instance_id: ZOMBIE,
      wait: 1,
    });
    return tasks[0];
  });
}
