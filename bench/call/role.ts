import { Session } from 'node:inspector/promises';

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
}

/** What the bench may ask a server. The profile is of its JavaScript thread, between the two. */
export type Question = 'usage' | 'start-profile' | 'stop-profile';

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
export function playRole(origin: string, stop: () => Promise<void> = async () => {}): void {
  const session = new Session();
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
  };
  const answer = async (question: Question) => {
    process.send?.((await answers[question]()) ?? 'done');
  };
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => void stop().then(() => process.exit()));
  const ready: Ready = { origin };
  process.send?.(ready);
}

function usage(): Usage {
  return { cpuUs: sum(process.cpuUsage()), mainUs: sum(process.threadCpuUsage()) };
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
