import { Client, type Dispatcher } from 'undici';
import { type Signer, signerOf } from './signer.ts';

// The caller, in a process of its own: keep-alive connections, each with one call at a time. What
// is said in a job is built before its time starts, but for fresh keys and signatures.

/** What to call, how, and for how long. */
export interface Job {
  origin: string;
  path: string;
  body: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** `fresh`: each call has an idempotency key of its own. `same`: all have one. */
  key?: 'fresh' | 'same';
  /** Who signs each call; absent: nobody. */
  signer?: Signer;
}

/** What came of a job. */
export interface Outcome {
  calls: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the load generator itself, microseconds a call. */
  ownUs: number;
  /** The first answer that was not 200, if there was one. */
  failure?: string;
}

class Call implements Dispatcher.DispatchHandler {
  readonly #begin = performance.now();
  readonly #done: (ms: number, failure?: string) => void;
  #status = 0;
  #text = '';

  constructor(done: (ms: number, failure?: string) => void) {
    this.#done = done;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    if (this.#status !== 200) this.#text += Buffer.from(chunk).toString();
  }

  onResponseEnd(): void {
    const failure = this.#status === 200 ? undefined : `${this.#status} ${this.#text}`;
    this.#done(performance.now() - this.#begin, failure);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#done(performance.now() - this.#begin, error.message);
  }
}

let keys = 0;

function headersOf({ headers, key }: Job): Record<string, string> {
  if (key === undefined) return headers;
  return { ...headers, 'idempotency-key': key === 'same' ? 'bench-same' : `bench-${keys++}` };
}

async function run(job: Job): Promise<Outcome> {
  const { origin, path, body, connections } = job;
  const signed = signerOf(job);
  const took: number[] = [];
  let failure: string | undefined;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = begin + job.seconds * 1_000;
  const call = (client: Client, next: () => void) => {
    const handler = new Call((ms, failed) => {
      took.push(ms);
      failure ??= failed;
      next();
    });
    client.dispatch({ path, method: 'POST', headers: signed(headersOf(job)), body }, handler);
  };
  const caller = async () => {
    const client = new Client(origin, { pipelining: 1 });
    await new Promise<void>((resolve) => {
      const next = () => {
        if (performance.now() >= end || failure !== undefined) resolve();
        else call(client, next);
      };
      next();
    });
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
  return {
    calls: took.length,
    perSecond: (took.length / ms) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    ownUs: (user + system) / took.length,
    ...(failure === undefined ? {} : { failure }),
  };
}

process.on('message', (job: Job) => {
  void run(job).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());
