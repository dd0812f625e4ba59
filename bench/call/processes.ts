import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Job, Outcome } from './load.ts';
import type { LoopDelay, Profile, Question, Ready, TasksDone, Usage } from './role.ts';

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  origin: string;
  /** Of a gateway that asks who one is: its first admin's. */
  token: string | undefined;
  usage(): Promise<Usage>;
  /** Samples the JavaScript thread while `work` is done. */
  profile<T>(work: () => Promise<T>): Promise<{ result: T; profile: Profile }>;
  /** Measures how late its event loop is while `work` is done. */
  loopDelay<T>(work: () => Promise<T>): Promise<{ result: T; delay: LoopDelay }>;
  /** Of the worker alone. */
  tasks(): Promise<TasksDone>;
}

/** The load generator in a process of its own. */
export interface Load extends AsyncDisposable {
  run(job: Job): Promise<Outcome>;
}

/** Starts one of the roles, named from this folder; returns when it serves. */
export async function startServer(
  role: 'agent' | 'proxy' | 'gateway' | '../tasks/worker',
  args: readonly string[] = [],
): Promise<Server> {
  const child = fork(join(import.meta.dirname, `${role}.ts`), args);
  const { origin, token } = await answer<Ready>(child);
  return {
    origin,
    token,
    usage: () => ask<Usage>(child, 'usage'),
    async profile(work) {
      await ask(child, 'start-profile');
      const result = await work();
      return { result, profile: await ask<Profile>(child, 'stop-profile') };
    },
    async loopDelay(work) {
      await ask(child, 'start-loop-delay');
      const result = await work();
      return { result, delay: await ask<LoopDelay>(child, 'stop-loop-delay') };
    },
    tasks: () => ask<TasksDone>(child, 'tasks'),
    ...ending(child),
  };
}

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'load.ts'));
  return {
    async run(job) {
      const outcome = await ask<Outcome>(child, job);
      if (outcome.failure !== undefined) throw new Error(`${job.path}: ${outcome.failure}`);
      return outcome;
    },
    ...ending(child),
  };
}

/** One question at a time: the next message is its answer. */
function ask<A>(child: ChildProcess, question: Job | Question): Promise<A> {
  const told = answer<A>(child);
  child.send(question);
  return told;
}

async function answer<A>(child: ChildProcess): Promise<A> {
  const death = new AbortController();
  const died = () => death.abort(new Error(`A process of the bench ended: ${child.spawnfile}`));
  child.once('exit', died);
  try {
    const [message] = (await once(child, 'message', { signal: death.signal })) as [A];
    return message;
  } finally {
    child.off('exit', died);
  }
}

function ending(child: ChildProcess): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
