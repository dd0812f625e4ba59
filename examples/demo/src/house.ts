import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Reach } from '@agent-reach/sdk';
import { type Child, Children } from './children.ts';

/** The agents of the demo, by the names under which they register. */
export const AGENTS = ['customer-service', 'orders', 'logistics', 'inventory'] as const;
export type AgentName = (typeof AGENTS)[number];

/**
 * A gateway and four agents, each in a process of its own. Ports are free ones and the data folder
 * is temporary, so that the demo meets no gateway that runs already.
 */
export class House implements AsyncDisposable {
  readonly reach: Reach;
  readonly endpoint: string;
  readonly #children: Children;
  readonly #gateway: Child;
  readonly #dataDir: string;
  readonly #agents = new Map<AgentName, Child>();

  private constructor(children: Children, gateway: Child, dataDir: string) {
    this.#children = children;
    this.#gateway = gateway;
    this.#dataDir = dataDir;
    this.endpoint = endpointIn(gateway.greeting);
    this.reach = new Reach({ endpoint: this.endpoint, agentId: 'demo' });
  }

  static async open(): Promise<House> {
    const children = new Children();
    const dataDir = await mkdtemp(join(tmpdir(), 'reach-demo-'));
    const options = ['--json', '--port', '0', '--agent-port', '0', '--data-dir', dataDir];
    const gateway = await children.start({
      name: 'the gateway',
      args: [await reachProgram(), 'serve', ...options],
      cwd: dataDir,
      env: cleanEnv(),
      readyBy: 'line',
    });
    const house = new House(children, gateway, dataDir);
    try {
      await Promise.all(AGENTS.map((name) => house.startAgent(name)));
    } catch (error) {
      await house[Symbol.asyncDispose]();
      throw error;
    }
    return house;
  }

  /** Starts an agent and waits until it is registered: from then on it is routed to. */
  async startAgent(name: AgentName): Promise<void> {
    const child = await this.#children.start({
      name,
      args: [join(import.meta.dirname, 'agents', `${name}.ts`)],
      cwd: this.#dataDir,
      env: { ...cleanEnv(), REACH_ENDPOINT: this.endpoint },
      readyBy: 'message',
    });
    this.#agents.set(name, child);
  }

  /** Kills an agent as the kernel does when memory runs out: it cannot say goodbye. */
  async killAgent(name: AgentName): Promise<void> {
    const child = this.#agents.get(name);
    this.#agents.delete(name);
    child?.kill('SIGKILL');
    await child?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reach.close();
    await this.#children.stop([...this.#agents.values()]);
    await this.#children.stop([this.#gateway]);
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** The script that the `reach` command of `@agent-reach/cli` runs. */
async function reachProgram(): Promise<string> {
  const manifest = fileURLToPath(import.meta.resolve('@agent-reach/cli/package.json'));
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: { reach: string } };
  return join(dirname(manifest), bin.reach);
}

/** Whatever is set for another gateway of this machine is not meant for this one. */
function cleanEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('REACH_'));
  return Object.fromEntries(entries);
}

function endpointIn(greeting: string): string {
  const { listeners } = JSON.parse(greeting) as { listeners: { role: string; url: string }[] };
  const url = listeners.find(({ role }) => role !== 'agents')?.url;
  if (url === undefined) throw new Error(`reach serve did not say where it listens: ${greeting}`);
  return url;
}
