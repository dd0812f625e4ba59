import { askerOf, type Bench, openBench } from './house.ts';

/** Of calls at five instances that are nearly full, how many were lost: parts of all. */
export interface Overload {
  calls: number;
  /** Each to the best score of the last look, as a client would who chose by it himself. */
  argMax: number;
  /** Each through the gateway. */
  chosen: number;
}

const INSTANCES = 5;
const PER_SECOND = 700;
const FOR_MS = 30_000;
const LOOK_MS = 5_000;
/** Each does so many at once, and lets so many wait; more it refuses. 1,000 a second in all. */
const AT_ONCE = 10;
const IN_LINE = 20;
const WORK_MS = 50;

/** Seven hundred calls a second, three quarters of what five instances can do. */
export async function overload(seed: number, forMs = FOR_MS): Promise<Overload> {
  const calls = (PER_SECOND * forMs) / 1_000;
  return {
    calls,
    argMax: (await lost(seed, byBestScore, calls)) / calls,
    chosen: (await lost(seed, throughGateway, calls)) / calls,
  };
}

type Sender = (bench: Bench) => Promise<(n: number) => Promise<boolean>>;

async function lost(seed: number, sender: Sender, calls: number): Promise<number> {
  await using bench = await openBench(seed);
  for (let n = 0; n < INSTANCES; n++) {
    const name = `agent-${n}`;
    bench.work.set(name, workerOn(bench));
    await bench.register({ name, capabilities: ['look_up'], maxConcurrency: 1_000 });
  }
  await bench.clock.advance(30_000);
  const send = await sender(bench);
  let lostCalls = 0;
  const underWay: Promise<void>[] = [];
  for (let n = 0; n < calls; n++) {
    underWay.push(
      send(n).then((isDone) => {
        if (!isDone) lostCalls += 1;
      }),
    );
    await bench.clock.advance(1_000 / PER_SECOND);
  }
  await bench.during(Promise.all(underWay));
  return lostCalls;
}

function workerOn({ clock }: Bench): () => Promise<'done' | 'refused'> {
  let present = 0;
  const free: (() => void)[] = [];
  return async () => {
    if (present >= AT_ONCE + IN_LINE) return 'refused';
    present += 1;
    if (present > AT_ONCE) await new Promise<void>((resolve) => free.push(resolve));
    await clock.sleep(WORK_MS);
    present -= 1;
    free.shift()?.();
    return 'done';
  };
}

const throughGateway: Sender =
  async ({ house }) =>
  async (n) => {
    try {
      const call = { capability: 'look_up', params: { order_no: `ORD${n}` }, timeout: 2 };
      const answer = await house.handlers['calls.invoke'](call, askerOf('shop'));
      return answer.status === 'ok';
    } catch {
      return false;
    }
  };

/** All that one can know of load is how many he has sent himself, and nobody tells him of others. */
const byBestScore: Sender = async ({ house, clock, work }) => {
  let best = 'agent-0';
  let lookedAt = Number.NEGATIVE_INFINITY;
  const busy = new Map<string, number>();
  return async () => {
    if (clock.monotonic() - lookedAt >= LOOK_MS) {
      lookedAt = clock.monotonic();
      best = await bestOf(house, busy);
    }
    const name = best;
    busy.set(name, (busy.get(name) ?? 0) + 1);
    const ended = await work.get(name)?.();
    busy.set(name, (busy.get(name) ?? 1) - 1);
    return ended === 'done';
  };
};

async function bestOf(house: Bench['house'], busy: ReadonlyMap<string, number>): Promise<string> {
  const { agents } = await house.handlers['agents.list']({}, askerOf('shop'));
  const scored = agents.map(({ agent_id: name, instances }) => ({
    name,
    // What the gateway would take off for what it had sent there, by the formula of the score.
    score: (instances[0]?.reachability.score ?? 0) - 0.3 * Math.min(1, (busy.get(name) ?? 0) / 110),
  }));
  return scored.sort((a, b) => b.score - a.score)[0]?.name ?? '';
}
