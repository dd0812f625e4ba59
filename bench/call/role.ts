import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process has used of the processor so far, microseconds, user and system together. */
export interface Usage {
  /** All threads. */
  cpuUs: number;
  /** The thread that runs JavaScript for the calls. */
  mainUs: number;
}

/** What a server says when it is ready. */
export interface Ready {
  origin: string;
  /** Of a gateway that asks who one is: its first admin's. */
  token?: string | undefined;
}

/** How late a server's event loop was, in milliseconds. */
export interface LoopDelay {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** What the bench may ask a server. Profile and loop delay are of what is between the two. */
export type Question =
  | 'usage'
  | 'start-profile'
  | 'stop-profile'
  | 'start-loop-delay'
  | 'stop-loop-delay'
  | 'tasks';

/** What a worker has done since it was asked last. */
export interface TasksDone {
  count: number;
  /** From submission to the start of the handler, ms a task. */
  waitedMs: number[];
  /** When the last one ended, by `machineMs`. */
  lastAt: number;
}

/** Milliseconds on a clock that all processes of this machine share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What V8 writes, as far as it is read here. */
export interface Profile {
  nodes: { id: number; callFrame: Frame }[];
  samples: number[];
  timeDeltas: number[];
}

/** A function that ran. */
export interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

/** The life of a measured server: says where it serves, answers what it is asked, ends when the bench does. */
export function playRole(
  ready: Ready,
  stop: () => Promise<void> = async () => {},
  tasks?: () => TasksDone,
): void {
  const session = new Session();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const answers: Record<Question, () => unknown> = {
    usage,
    async 'start-profile'() {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
    },
    async 'stop-profile'() {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return profile;
    },
    'start-loop-delay'() {
      loop.reset();
      loop.enable();
    },
    'stop-loop-delay'() {
      loop.disable();
      return loopDelay(loop);
    },
    tasks: () => tasks?.(),
  };
  const answer = async (question: Question) => {
    process.send?.((await answers[question]()) ?? 'done');
  };
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => void stop().then(() => process.exit()));
  process.send?.(ready);
}

function loopDelay(loop: ReturnType<typeof monitorEventLoopDelay>): LoopDelay {
  const ms = (ns: number) => ns / 1e6;
  return { p50Ms: ms(loop.percentile(50)), p99Ms: ms(loop.percentile(99)), maxMs: ms(loop.max) };
}

function usage(): Usage {
  return { cpuUs: sum(process.cpuUsage()), mainUs: sum(process.threadCpuUsage()) };
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
