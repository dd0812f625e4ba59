import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { within } from './bounds.ts';

/** How a process ended: a code, or the signal that ended it. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Where and with what a process runs. */
export interface Surroundings {
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  /** As whom; only root may run as others. */
  user?: { uid: number; gid: number } | undefined;
  /** Told all that it complains of, as it comes. */
  heard?: ((complaint: string) => void) | undefined;
}

/** Of what a process complained, the last part is kept for the failure that it may explain. */
const COMPLAINT_CHARS_MAX = 4_000;

const running = new Set<Program>();

/** A process of its own. What it prints is kept line by line; disposing it ends it with SIGKILL. */
export class Program implements AsyncDisposable {
  readonly title: string;
  readonly lines: string[] = [];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  #complaints = '';
  #heard = Promise.withResolvers<void>();

  constructor(
    command: readonly [string, ...string[]],
    { cwd, env, user, heard }: Surroundings = {},
  ) {
    const [file, ...args] = command;
    this.title = command.slice(0, 3).join(' ');
    // A machine's own settings must not reach what is tested.
    const { REACH_ENDPOINT: _, REACH_CONFIG: __, ...inherited } = process.env;
    this.#child = spawn(file, args, {
      cwd,
      env: { ...inherited, ...env },
      ...user,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(this);
    this.#child.stdin?.on('error', () => {}); // It ended before it read what it was told.
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      heard?.(chunk.toString());
      this.#complaints = (this.#complaints + chunk.toString()).slice(-COMPLAINT_CHARS_MAX);
      this.#wake();
    });
    const ended = this.#listen();
    this.exited = ended.then((exit) => {
      running.delete(this);
      this.#wake();
      return exit;
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.title} did not start.`);
    return this.#child.pid;
  }

  get complaints(): string {
    return this.#complaints;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The first line, of those printed so far and to come, of which `read` makes something. */
  async line<T>(what: string, read: (line: string) => T | undefined): Promise<T> {
    const find = async (): Promise<T> => {
      for (let next = 0; ; ) {
        const line = this.lines[next++];
        if (line === undefined) {
          if (this.hasEnded) throw new Error(`${this.title} ended before ${what}.${this.#why()}`);
          next--;
          await this.#heard.promise;
          continue;
        }
        const found = read(line);
        if (found !== undefined) return found;
      }
    };
    return within(`${this.title} printed ${what}`, find(), () => this.#why());
  }

  /** Resolves when its complaints hold these words. */
  async complained(words: string): Promise<void> {
    const hear = async () => {
      while (!this.#complaints.includes(words)) {
        if (this.hasEnded) throw new Error(`${this.title} ended before: ${words}.${this.#why()}`);
        await this.#heard.promise;
      }
    };
    await within(`${this.title} complained: ${words}`, hear(), () => this.#why());
  }

  /** Says a line to its standard input. */
  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    if (!this.hasEnded) this.signal(signal);
    return within(`${this.title} ended by ${signal}`, this.exited, () => this.#why());
  }

  /** Ends it before anything else is done: for when this process is ending itself. */
  endNow(): void {
    this.#child.kill('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #listen(): Promise<Exit> {
    const { stdout } = this.#child;
    if (stdout !== null) {
      createInterface(stdout).on('line', (line) => {
        this.lines.push(line);
        this.#wake();
      });
    }
    // Not `exit`: what it printed last is read before it counts as ended.
    const [code, signal] = (await once(this.#child, 'close')) as [Exit['code'], Exit['signal']];
    return { code, signal };
  }

  #wake(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers<void>();
  }

  #why(): string {
    return `\n${this.lines.slice(-5).join('\n')}\n${this.#complaints}`;
  }
}

/** Ends what is left; the titles of what that was. */
export function endAll(): string[] {
  const left = [...running];
  for (const program of left) program.endNow();
  return left.map(({ title }) => title);
}

// A test that failed or ran out of time may have left something behind. Whatever ends this
// process, it takes its own with it.
process.once('exit', endAll);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}
