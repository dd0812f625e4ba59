import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program to run, and how one knows that it works. */
export interface Program {
  name: string;
  /** A script and its arguments, for this very Node. */
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** `message`: it sends one to its parent. `line`: it prints one. */
  readyBy: 'message' | 'line';
}

/** What can be done to it; of the latter two it knows nothing. */
type Blow = 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

/** A program that runs. */
export interface Child {
  name: string;
  pid: number;
  /** What it printed first; empty for one that sent a message. */
  greeting: string;
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
  kill(signal: Blow): void;
}

/** No program of the demo needs longer on a busy machine; one that hangs must not hang the demo. */
const READY_MS = 30_000;
const STOP_MS = 5_000;
/** How much of what a program says is kept, for the error that it did not start. */
const SAID_MAX = 8_192;

/**
 * The processes of the demo. Each has a process group of its own, so that Ctrl-C reaches the demo
 * alone and the demo ends them in order; and none outlives it: what is left is killed on exit.
 */
export class Children {
  readonly #running = new Set<ChildProcess>();

  constructor() {
    process.on('exit', this.#killAll);
  }

  /** Starts a program and waits until it works. Throws with what it said when it does not. */
  async start({ name, args, cwd, env, readyBy }: Program): Promise<Child> {
    const isLine = readyBy === 'line';
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', isLine ? 'ignore' : 'ipc'],
    });
    this.#running.add(child);
    const ended = endOf(child).then(() => void this.#running.delete(child));
    const said = { out: '', err: '' };
    child.stdout?.on('data', (chunk: Buffer) => (said.out = (said.out + chunk).slice(-SAID_MAX)));
    child.stderr?.on('data', (chunk: Buffer) => (said.err = (said.err + chunk).slice(-SAID_MAX)));

    const ready = new AbortController();
    const signal = AbortSignal.any([ready.signal, AbortSignal.timeout(READY_MS)]);
    const works = isLine ? firstLine(child, said, signal) : once(child, 'message', { signal });
    try {
      await Promise.race([works, ended.then(() => Promise.reject(new Error('it ended')))]);
    } catch (error) {
      ready.abort();
      child.kill('SIGKILL');
      const why = `${name} did not start: ${(error as Error).message}.`;
      throw new Error(`${why}\n${said.err}`.trim(), { cause: error });
    }
    const kill = (by: Blow) => void child.kill(by);
    const [greeting = ''] = said.out.split('\n');
    return { name, pid: child.pid ?? 0, greeting, ended, kill };
  }

  /** Asks children to stop and waits for it; those that do not are killed. */
  async stop(children: readonly Child[]): Promise<void> {
    for (const child of children) child.kill('SIGTERM');
    const reaper = setTimeout(() => {
      for (const child of children) child.kill('SIGKILL');
    }, STOP_MS);
    await Promise.all(children.map((child) => child.ended));
    clearTimeout(reaper);
  }

  readonly #killAll = (): void => {
    for (const child of this.#running) child.kill('SIGKILL');
  };
}

/** Resolves when a child has ended, or could not be started at all. */
function endOf(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.once('error', () => resolve());
  return promise;
}

async function firstLine(
  { stdout }: ChildProcess,
  said: { out: string },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    if (stdout === null || said.out.includes('\n')) return;
    await once(stdout, 'data', { signal });
  }
}
