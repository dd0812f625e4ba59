import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reach } from '@agent-reach/sdk';
import { until } from './bounds.ts';
import { type Folder, openFolder } from './folder.ts';
import { keptPort } from './ports.ts';
import { type Exit, Program, type Surroundings } from './program.ts';
import { get, post, type Reply, type Sending } from './wire.ts';

/** The file that `reach` is. */
const REACH = join(import.meta.dirname, '../../packages/cli/bin/reach.mjs');

/** What a gateway is told, beside where it keeps its data. */
export interface GatewayOptions {
  /** By `--set`. */
  set?: Record<string, string>;
  env?: Record<string, string>;
  /** The text of `reach.yaml` in its working folder. */
  file?: string;
  /** Where it keeps its data. Default: a folder within its own. */
  dataDir?: string;
  /** Told all that it writes to its log, as it comes. */
  heard?: (complaint: string) => void;
}

/** The line that `reach serve --json` prints. */
interface Told {
  version: string;
  listeners: { role: string; url: string }[];
  data: string[];
  pid: number;
}

/** A gateway in a process of its own, on a data folder of its own. */
export class Gateway implements AsyncDisposable {
  readonly folder: Folder;
  readonly #options: GatewayOptions;
  readonly #ports: readonly [business: number, agents: number];
  #program: Program;
  #told: Told;
  #reach: Reach;

  private constructor(folder: Folder, options: GatewayOptions, first: Launched) {
    this.folder = folder;
    this.#options = options;
    this.#ports = first.ports;
    this.#program = first.program;
    this.#told = first.told;
    this.#reach = new Reach({ endpoint: this.url });
  }

  /** Starts one and waits for its line. It listens at ports that a restart finds free. */
  static async start(options: GatewayOptions = {}): Promise<Gateway> {
    const folder = await openFolder();
    try {
      if (options.file !== undefined) {
        await writeFile(join(folder.path, 'reach.yaml'), options.file);
      }
      const ports = [await keptPort(), await keptPort()] as const;
      return new Gateway(folder, options, await launch(folder.path, ports, options));
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The business listener. */
  get url(): string {
    return this.#listener('business');
  }

  /** The agents' listener. */
  get agentUrl(): string {
    return this.#listener('agents');
  }

  get pid(): number {
    return this.#program.pid;
  }

  get told(): Told {
    return this.#told;
  }

  /** A client of the SDK. */
  get reach(): Reach {
    return this.#reach;
  }

  get complaints(): string {
    return this.#program.complaints;
  }

  get(path: string): Promise<Reply> {
    return get(this.url + path);
  }

  post(path: string, body: unknown, sending?: Sending): Promise<Reply> {
    return post(this.url + path, body, sending);
  }

  /** `POST /v1/calls`. */
  call(body: Record<string, unknown>, sending?: Sending): Promise<Reply> {
    return this.post('/v1/calls', body, sending);
  }

  /** Resolves when a route would take the agent. */
  async routable(agentId: string): Promise<void> {
    await until(`a route takes ${agentId}`, async () => {
      const { agents } = await this.#reach.agents.list({ available: true });
      return agents.some(({ agent_id: id }) => id === agentId);
    });
  }

  /** kill -9, and gone when it resolves. */
  async kill(): Promise<void> {
    await this.#program.end('SIGKILL');
  }

  signal(signal: NodeJS.Signals): void {
    this.#program.signal(signal);
  }

  /** Asks it to stop and waits until it has. */
  stop(): Promise<Exit> {
    return this.#program.end('SIGTERM');
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded;
  }

  get exited(): Promise<Exit> {
    return this.#program.exited;
  }

  /** Starts it again where it was, on the data that it left. */
  async restart(): Promise<void> {
    const { program, told } = await launch(this.folder.path, this.#ports, this.#options);
    this.#program = program;
    this.#told = told;
    await this.#reach.close();
    this.#reach = new Reach({ endpoint: this.url });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reach.close();
    await this.#program.end();
    await this.folder[Symbol.asyncDispose]();
  }

  #listener(role: string): string {
    const found = this.#told.listeners.find((listener) => listener.role === role);
    if (found === undefined) throw new Error(`The gateway has no listener for ${role}.`);
    return found.url;
  }
}

interface Launched {
  ports: readonly [number, number];
  program: Program;
  told: Told;
}

async function launch(
  dir: string,
  ports: readonly [number, number],
  { set = {}, env, dataDir = join(dir, 'data'), heard }: GatewayOptions,
): Promise<Launched> {
  const [business, agents] = ports;
  const flags = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const listeners = ['--port', String(business), '--agent-port', String(agents)];
  const data = ['--data-dir', dataDir];
  const program = reachProgram(['serve', '--json', ...listeners, ...data, ...flags], {
    cwd: dir,
    env,
    heard,
  });
  try {
    const told = await program.line('where it listens', (line) => JSON.parse(line) as Told);
    return { ports, program, told };
  } catch (error) {
    await program.end();
    throw error;
  }
}

/** Starts `reach`. */
export function reachProgram(args: readonly string[], around: Surroundings): Program {
  return new Program([process.execPath, REACH, ...args], around);
}

/** Runs `reach` to its end. */
export async function reach(
  args: readonly string[],
  around: Surroundings = {},
): Promise<Exit & { out: string; err: string }> {
  await using program = reachProgram(args, around);
  const exit = await program.exited;
  return { ...exit, out: program.lines.join('\n'), err: program.complaints };
}
