import { randomBytes } from 'node:crypto';

/** What every job carries: some 450 bytes, and when it was sent where somebody wants to know. */
export interface Job {
  order_id: string;
  text: string;
  /** `performance.now()` of this process. */
  sent_at: number;
}

const TEXT = 'x'.repeat(400);

/** A job that is sent now. */
export function newJob(): Job {
  return { order_id: randomBytes(8).toString('hex'), text: TEXT, sent_at: performance.now() };
}

/** Somebody who keeps jobs and hands them out. */
export interface Contender extends AsyncDisposable {
  name: string;
  /** How it is set up, and what it promises. */
  what: string;
  /** An empty queue with nobody at work on it. */
  open(): Promise<Lane>;
  /** Processor time that other processes have used for it so far, µs. */
  serverUs(): Promise<number>;
}

/** One queue of a contender, for one measurement. */
export interface Lane extends AsyncDisposable {
  /** Returns when the job is stored, as firmly as the contender promises. */
  add(): Promise<unknown>;
  addMany(count: number): Promise<unknown>;
  /** One job from its submission to its end, with nobody else about. */
  live(): Promise<unknown>;
  /** Works off what is stored as fast as it can, so many at a time, until it is disposed. */
  drain(places: number, onDone: () => void): Promise<AsyncDisposable>;
  /** Waits for jobs as its users would. Absent: waiting is another layer's business. */
  serve?(onStart: (job: Job) => void): Promise<AsyncDisposable>;
}

/** What `work` has opened, as one thing that is closed in the opposite order. */
export async function together(
  work: (stack: AsyncDisposableStack) => Promise<void> | void,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  await work(stack);
  return stack.move();
}

/** Works on and on until it is disposed; `step` says whether there was something to do. */
export function keepAt(step: () => Promise<boolean>): AsyncDisposable {
  const over = new AbortController();
  const run = async () => {
    while (!over.signal.aborted && (await step()));
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
    },
  };
}
