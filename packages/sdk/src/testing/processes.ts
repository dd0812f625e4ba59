import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Reach } from '../reach.ts';

const REACH = join(import.meta.dirname, '../../../cli/bin/reach.mjs');
const AGENT = join(import.meta.dirname, 'task-agent.ts');

/** A process that has printed its first line. */
interface Started {
  child: ChildProcess;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

async function start(args: readonly string[], env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (!Array.isArray(line)) throw new Error(`${args.join(' ')} ended: ${complaints}`);
  return { child, ended };
}

/** One task as an agent's own file tells it. */
export interface Note {
  word: string;
  taskId: string;
  attempt: number;
  pid: number;
}

/** A real gateway with real agents, each in a process of its own. */
export class ProcessHouse implements AsyncDisposable {
  readonly reach: Reach;
  readonly #dir: string;
  readonly #port: number;
  readonly #set: Record<string, string>;
  readonly #agents: Started[] = [];
  #gateway: Started | undefined;

  private constructor(dir: string, port: number, set: Record<string, string>) {
    this.#dir = dir;
    this.#port = port;
    this.#set = set;
    this.reach = new Reach({ endpoint: this.url, timeoutMs: 10_000 });
  }

  /** @param set Options of the gateway. */
  static async open(set: Record<string, string> = {}): Promise<ProcessHouse> {
    const dir = await mkdtemp(join(tmpdir(), 'reach-tasks-'));
    const house = new ProcessHouse(dir, await freePort(), set);
    await writeFile(house.#file, '');
    await house.startGateway();
    return house;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the gateway, again on what the one before left. */
  async startGateway(): Promise<void> {
    const options = Object.entries(this.#set).flatMap(([key, value]) => [
      '--set',
      `${key}=${value}`,
    ]);
    const listen = ['--port', String(this.#port), '--agent-port', 'off', '--data-dir', this.#dir];
    this.#gateway = await start([REACH, 'serve', '--json', ...listen, ...options], {});
  }

  /** Ends the gateway, and waits until it has ended. */
  async endGateway(signal: NodeJS.Signals): Promise<void> {
    this.#gateway?.child.kill(signal);
    await this.#gateway?.ended;
  }

  /** Starts an agent that handles `work`; resolves when it is registered. */
  async agent(env: Record<string, string> = {}): Promise<Started> {
    const started = await start([AGENT], {
      REACH_ENDPOINT: this.url,
      AGENT_FILE: this.#file,
      ...env,
    });
    this.#agents.push(started);
    return started;
  }

  /** What the agents did, in order. */
  async notes(): Promise<Note[]> {
    const text = await readFile(this.#file, 'utf8');
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [word = '', taskId = '', attempt, pid] = line.split(' ');
        return { word, taskId, attempt: Number(attempt), pid: Number(pid) };
      });
  }

  /** Resolves when the agents have written so many notes of this kind. */
  async noted(word: string, count: number): Promise<void> {
    for (;;) {
      if ((await this.notes()).filter((note) => note.word === word).length >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reach.close();
    for (const { child, ended } of [...this.#agents, ...(this.#gateway ? [this.#gateway] : [])]) {
      child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#dir, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#dir, 'agents.log');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
