import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reach } from '@agent-reach/sdk';
import { AgentProgram } from '../kit/agents.ts';
import { pause, until, within } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';
import { dataOf } from '../kit/wire.ts';
import type { Evidence, SeenEnd } from './evidence.ts';
import { gather } from './gather.ts';
import { readNotes } from './notes.ts';
import { Site, type SiteOptions, type World } from './site.ts';
import type { SubmitPlan } from './submit-plan.ts';
import type { RunNote, SubmitNote } from './work.ts';

/** Short enough that an experiment can wait for one, long enough that a busy machine keeps it. */
export const LEASE_MS = 3_000;
const SETTINGS = {
  'task.run.lease': `${LEASE_MS}ms`,
  'task.ack.timeout': `${LEASE_MS}ms`,
  'task.retry.base': '200ms',
  'flowcontrol.max-pending': '100000',
};

/** Nothing here waits longer for its end than this. */
export const SETTLE_MS = 120_000;

/** Between two readings of all books. */
const READ_MS = 40;

/** What an agent is told on its command line. */
type Flags = Readonly<Record<string, string | number>>;

/** An agent and its own book. */
export interface Labourer extends AgentProgram {
  book: string;
}

/** Where an agent or a caller belongs, and with what it runs. */
export interface Where {
  /** The only gateway that it knows. Default: all of them, another one first each time. */
  at?: number;
  env?: Readonly<Record<string, string>>;
}

/** Where a caller belongs, and how long it may take. */
export interface Sending extends Pick<Where, 'at'> {
  boundMs?: number;
}

/** One round's world: gateways on a store, agents, callers, and what each wrote of itself. */
export class Lab implements AsyncDisposable {
  readonly site: Site;
  readonly #world = new AsyncDisposableStack();
  readonly #runBooks: string[] = [];
  readonly #submitBooks: string[] = [];
  readonly #seen: Promise<SeenEnd>[] = [];
  readonly #over = new AbortController();
  /** Not the gateway's own client: that one is another after each restart. */
  readonly #caller: Reach;
  #supervision: Promise<unknown> = Promise.resolve();
  #files = 0;
  #agents = 0;
  #submitters = 0;

  private constructor(site: Site) {
    this.site = this.#world.use(site);
    this.#caller = new Reach({ endpoint: site.urls() });
  }

  static async open(world: World, options: SiteOptions = {}): Promise<Lab> {
    return new Lab(await Site.open(world, { ...options, set: { ...SETTINGS, ...options.set } }));
  }

  /** The first gateway. */
  get gateway(): Gateway {
    return this.gatewayAt(0);
  }

  gatewayAt(n: number): Gateway {
    const gateway = this.site.gateways[n];
    if (gateway === undefined) throw new Error(`There is no gateway ${n}.`);
    return gateway;
  }

  /** Starts an agent that does the laboratory's work; resolves when it is registered. */
  async labourer(flags: Flags = {}, { at, env = {} }: Where = {}): Promise<Labourer> {
    const book = this.#file('runs');
    await writeFile(book, '');
    this.#over.signal.throwIfAborted();
    const said: Flags = { book, ...flags };
    const args = Object.entries(said).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const known = at === undefined ? undefined : 1;
    const urls = this.site.agentUrls(at ?? this.#agents++).slice(0, known);
    const agent = new AgentProgram('labourer', urls.join(), args, env);
    this.#world.use(agent);
    this.#runBooks.push(book);
    agent.ready = await agent.said('ready');
    return Object.assign(agent, { book });
  }

  /** An agent that is started again whenever it was killed, as an orchestrator would. */
  async supervised(flags: Flags = {}): Promise<void> {
    const { program } = await this.labourer(flags);
    const again = program.exited.then(({ signal }) =>
      signal === 'SIGKILL' && !this.#over.signal.aborted ? this.supervised(flags) : undefined,
    );
    this.#supervision = Promise.allSettled([this.#supervision, again]);
  }

  /** Several agents alike, started one after the other: together they would starve each other. */
  async labourers(count: number, flags: Flags = {}): Promise<Labourer[]> {
    const crew: Labourer[] = [];
    for (let n = 0; n < count; n++) crew.push(await this.labourer(flags));
    return crew;
  }

  /** Runs a submitter in a process of its own to its end, within `boundMs`; what it wrote. */
  async submit(
    plan: Omit<SubmitPlan, 'urls'>,
    { at, boundMs = SETTLE_MS }: Sending = {},
  ): Promise<SubmitNote[]> {
    const [book, file] = [this.#file('submissions'), this.#file('plan')];
    const known = at === undefined ? undefined : 1;
    const urls = this.site.urls(at ?? this.#submitters++).slice(0, known);
    await writeFile(file, JSON.stringify({ ...plan, urls }));
    await writeFile(book, '');
    this.#submitBooks.push(book);
    const args = ['--plan', file, '--book', book];
    const { program } = this.#world.use(new AgentProgram('submitter', urls.join(), args));
    await within('the submitter', program.exited, () => program.complaints, boundMs);
    return readNotes<SubmitNote>(book);
  }

  /** A caller that waits for the ends of tasks, through whatever happens to the gateway. */
  watch(tasks: readonly string[]): void {
    for (const task of tasks) {
      this.#seen.push(
        this.#caller.tasks
          .wait(task, { signal: this.#over.signal })
          .then(({ status: state, result }) => {
            const run = (result as { run?: string } | null | undefined)?.run;
            return { task, state, ...(run === undefined ? {} : { run }) };
          }),
      );
    }
  }

  /** What all agents noted so far. */
  runs(): RunNote[] {
    return this.#runBooks.flatMap((book) => readNotes<RunNote>(book));
  }

  /** The tasks whose submission was answered 2xx so far. */
  acked(): Set<string> {
    const notes = this.#submitBooks.flatMap((book) => readNotes<SubmitNote>(book));
    return new Set(
      notes.filter(({ status }) => status >= 200 && status < 300).map(({ task }) => task),
    );
  }

  /** Resolves when so many notes of the kind are there. */
  async noted(
    count: number,
    fits: (note: RunNote) => boolean,
    boundMs = SETTLE_MS,
  ): Promise<RunNote[]> {
    return until(
      `${count} notes`,
      async () => {
        const found = this.runs().filter(fits);
        if (found.length >= count) return found;
        await pause(READ_MS);
        return undefined;
      },
      boundMs,
    );
  }

  /** Resolves when no task is on its way any more. */
  async settled(boundMs = SETTLE_MS): Promise<void> {
    // Twice: one that comes back while the states are asked for one by one hides from one look.
    const isStill = async () => !(await this.#anyMoves()) && !(await this.#anyMoves());
    await until('every task has ended', isStill, boundMs);
  }

  async #anyMoves(): Promise<boolean> {
    for (const state of MOVING) if (await this.#anyIn(state)) return true;
    return false;
  }

  async #anyIn(state: (typeof MOVING)[number]): Promise<boolean> {
    const living = this.site.gateways.find(({ hasEnded }) => !hasEnded);
    if (living === undefined) throw new Error('No gateway is left to ask.');
    const reply = await living.get(`/v1/tasks?status=${state}&limit=1`);
    // Whether any moves is known when the store is there again.
    if (reply.status === 503) return true;
    return dataOf('tasks.list', reply).tasks.length > 0;
  }

  /** Stops everything in good order, and reads what is left. */
  async evidence(): Promise<Evidence> {
    const seen = await within(
      'the callers that wait',
      Promise.all(this.#seen),
      undefined,
      SETTLE_MS,
    );
    const [acked, runs] = [this.acked(), this.runs()];
    for (const gateway of this.site.gateways) if (!gateway.hasEnded) await gateway.stop();
    return { acked, runs, seen, ...(await gather(this.site)) };
  }

  #file(kind: string): string {
    this.#files += 1;
    return join(this.gateway.folder.path, `${kind}-${this.#files}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await Promise.allSettled(this.#seen);
    await this.#caller.close();
    await this.#world.disposeAsync();
    await this.#supervision;
  }
}

const MOVING = ['blocked', 'queued', 'waiting', 'delivered', 'running'] as const;
