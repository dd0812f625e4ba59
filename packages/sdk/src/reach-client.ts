import type { RouteAnswer, RouteDecision, RouteRequest } from '@agent-reach/core';
import { type Ids, idsFrom, type Log, openLog } from '@agent-reach/core/kernel';
import { authorityOf, isWildcard } from './agent-options.ts';
import { atMost } from './at-most.ts';
import type { Capability, Handler } from './capability.ts';
import { Door } from './door.ts';
import { entrance, identityOf, type Standing } from './entrance.ts';
import { Membership } from './membership.ts';
import { Performer } from './perform.ts';
import { type Ports, systemPorts } from './ports.ts';
import { Reach, type ReachOptions } from './reach.ts';
import type { StreamOptions } from './streams.ts';
import { verifierOf } from './verify-push.ts';

/** Who a client is, and where it can be looked at. */
export interface ReachClientOptions {
  /** The gateway; see `ReachOptions.endpoint`. */
  endpoint?: ReachOptions['endpoint'];
  /** See `ReachOptions.credentials`. */
  credentials?: ReachOptions['credentials'];
  /** Becomes the agent's id as an ASCII slug. */
  agentName: string;
  /** A fixed interval of heartbeats. Default: the gateway says how often it wants to hear. */
  heartbeatMs?: number | undefined;
  /** Where probes are answered. Default `0.0.0.0`: every address of this machine. */
  host?: string | undefined;
  /** Default 9595, which the gateway takes for granted where nobody says an address. */
  port?: number | undefined;
  /**
   * The address at which the gateway and callers reach this agent, such as `http://10.20.1.5:9595`.
   * Default: the one from which it registers, with port 9595. Must be said with another port.
   */
  advertiseAddress?: string | undefined;
  /**
   * What is done for `POST /execute` and `POST /abilities/{name}`, whatever the capability. Left out, nothing is:
   * the work is done elsewhere, at `advertiseAddress`.
   */
  execute?: Handler<unknown, unknown> | undefined;
  /** Calls at once; more are answered `agent-busy`. Default 100. */
  maxConcurrency?: number | undefined;
  /** How long `stop` waits for running work before it aborts it. Default 30 000. */
  drainMs?: number | undefined;
  /** Default: JSON lines on standard error, from `info` on. */
  log?: Log | undefined;
}

const SEED_PORT = 9595;
/** Before it is registered nobody was sent to it. */
const NOWHERE = 'http://nowhere.invalid';
const MAX_CONCURRENCY = 100;
const DRAIN_MS = 30_000;

/**
 * An agent whose manifest is a document, and a caller that goes direct, in one:
 *
 *     const client = new ReachClient({ endpoint: 'http://reach:8080', agentName: 'weekly-report-agent' });
 *     await client.start();
 *     await client.registerManifest(JSON.parse(await readFile('weekly_manifest.json', 'utf8')));
 *     const route = await client.route({ intent: '生成本周销售周报摘要', payload });
 *     if (route) await fetch(`http://${route.target_address}/execute`, …);
 *
 * Who writes his capabilities in TypeScript takes `Agent`; who only calls takes `Reach`.
 */
export class ReachClient implements AsyncDisposable {
  readonly #options: ReachClientOptions;
  readonly #ports: Ports;
  readonly #log: Log;
  readonly #ids: Ids;
  readonly #bootId: string;
  readonly #reach: Reach;
  readonly #capabilities = new Map<string, Capability>();
  readonly #performer: Performer;
  readonly #membership: Membership;
  readonly #door: Door;
  #manifest: Readonly<Record<string, unknown>> = {};
  #standing: Standing = 'serving';
  #address: string | undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isRegistered = false;

  /** Throws a `TypeError` for an address that nobody could call. */
  constructor(options: ReachClientOptions, ports: Ports = systemPorts) {
    demandSaid(options);
    this.#options = options;
    this.#ports = ports;
    this.#log = options.log ?? openLog('info');
    this.#ids = idsFrom(ports.clock, ports.random);
    this.#bootId = this.#ids.span();
    const { endpoint, credentials, agentName } = options;
    const agentId = () => this.#membership.agentId ?? agentName;
    this.#reach = new Reach({ endpoint, credentials, agentId }, ports);
    this.#performer = new Performer({
      agentId,
      capabilities: this.#capabilities,
      maxConcurrency: this.#maxConcurrency,
      reach: this.#reach,
      clock: ports.clock,
      log: this.#log,
    });
    this.#membership = new Membership({
      reach: this.#reach,
      manifest: () => this.#registration(),
      bootId: this.#bootId,
      inflight: () => this.#performer.inflight,
      pending: () => 0,
      ports,
      log: this.#log,
    });
    this.#door = new Door(this.#entrance(), this.#log);
  }

  /** For everything else that a gateway answers; asked in the agent's name. */
  get reach(): Reach {
    return this.#reach;
  }

  /** Where probes are answered; undefined before `start`. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * Opens the port that answers `GET /healthz` and `GET /probe`, and calls where `execute` is given.
   * Rejects when the port is taken. Twice is fine. Routes and decisions need no start.
   */
  start(): Promise<void> {
    this.#starting ??= this.#open();
    return this.#starting;
  }

  /**
   * Registers a manifest of any form that the gateway reads, and beats from then on; another one is a new
   * version. Starts where that was not done. Rejects with what the gateway holds against it; one that is
   * away is waited for in the background.
   */
  async registerManifest(manifest: Readonly<Record<string, unknown>>): Promise<void> {
    await this.start();
    this.#manifest = manifest;
    this.#offer(namesIn(manifest));
    if (this.#isRegistered) {
      await this.#membership.rejoin();
      return;
    }
    this.#isRegistered = true;
    await this.#membership.join();
  }

  /** Who should do this now, with the address to go to; null: nobody can be reached, or it is not clear who. */
  async route(request: RouteRequest): Promise<RouteAnswer | null> {
    const answer = await this.#reach.route(request);
    return answer.outcome === 'route' ? answer : null;
  }

  /**
   * Decisions of the gateway as they are made, with candidates and the parts of their scores: all, or those
   * whose intent or capability contains `intentPattern`. Goes on until it is left or `signal` is aborted.
   */
  async *watch(intentPattern?: string, options: StreamOptions = {}): AsyncGenerator<RouteDecision> {
    const filter = intentPattern === undefined ? {} : { pattern: intentPattern };
    for await (const event of this.#reach.routes.watch(filter, options)) {
      if (event.type === 'decision') yield event;
    }
  }

  /** Has the gateway send nothing more here; what is under way is ended. Never rejects. */
  async drain(): Promise<void> {
    if (this.#standing !== 'serving') return;
    this.#standing = 'leaving';
    await this.#membership.announceLeaving();
  }

  /** Drains, ends what runs, leaves the registry and closes. Twice is fine. Never rejects. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #open(): Promise<void> {
    const { host = '0.0.0.0', port = SEED_PORT } = this.#options;
    const opened = await this.#door.listen(host, port);
    this.#address = authorityOf(host, opened);
  }

  async #stop(): Promise<void> {
    await this.#starting?.catch(() => {}); // Whoever started it was told.
    await this.drain();
    this.#standing = 'refusing';
    const { clock } = this.#ports;
    await atMost(clock, this.#options.drainMs ?? DRAIN_MS, this.#performer.idle());
    this.#performer.abortAll();
    await this.#membership.leave();
    await this.#door.close(clock);
    await this.#reach.close();
  }

  get #maxConcurrency(): number {
    return this.#options.maxConcurrency ?? MAX_CONCURRENCY;
  }

  /** One handler does whatever the manifest names. */
  #offer(names: readonly string[]): void {
    const { execute } = this.#options;
    this.#capabilities.clear();
    if (execute === undefined) return;
    for (const name of names) {
      this.#capabilities.set(name, { spec: { name, description: '' }, handler: execute });
    }
  }

  #registration(): Record<string, unknown> {
    const { agentName, heartbeatMs } = this.#options;
    const { network, instance } = this.#manifest;
    const isNamed = ['agent_id', 'id', 'agent_name', 'name'].some((one) => one in this.#manifest);
    return {
      ...(isNamed ? {} : { name: agentName }),
      ...this.#manifest,
      ...(heartbeatMs === undefined
        ? {}
        : { network: { ...asObject(network), heartbeat_interval_sec: heartbeatMs / 1_000 } }),
      instance: { ...asObject(instance), base_url: this.#baseUrl, boot_id: this.#bootId },
    };
  }

  /** Undefined: the gateway takes the other end of the connection, and port 9595. */
  get #baseUrl(): string | undefined {
    const { advertiseAddress, host = '0.0.0.0' } = this.#options;
    if (advertiseAddress !== undefined) {
      return advertiseAddress.includes('://') ? advertiseAddress : `http://${advertiseAddress}`;
    }
    return isWildcard(host) ? undefined : `http://${this.#address ?? ''}`;
  }

  #entrance() {
    const { credentials } = this.#options;
    return entrance({
      standing: () => this.#standing,
      fence: this.#membership.fence,
      identity: () =>
        identityOf(this.#membership, {
          boot_id: this.#bootId,
          inflight: this.#performer.inflight,
          max_concurrency: this.#maxConcurrency,
        }),
      onlyCapability: () =>
        this.#capabilities.size === 1 ? this.#capabilities.keys().next().value : undefined,
      perform: (call, params, gone) => this.#performer.perform(call, params, gone),
      verify: verifierOf(
        { name: this.#options.agentName, credentials },
        {
          baseUrl: () => this.#membership.baseUrl ?? NOWHERE,
          isPlaced: () => this.#membership.addrVersion !== undefined,
          clock: this.#ports.clock,
        },
      ),
      ids: this.#ids,
    });
  }
}

function demandSaid({ host = '0.0.0.0', port, advertiseAddress }: ReachClientOptions): void {
  const isUsual = port === undefined || port === SEED_PORT;
  if (advertiseAddress !== undefined || !isWildcard(host) || isUsual) return;
  throw new TypeError(
    `${host} is every address and no address: say advertiseAddress, for nobody would guess port ${port}.`,
  );
}

/** What a manifest's capabilities are called, in whichever form it is written. */
function namesIn({ capabilities }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(capabilities)) return [];
  return capabilities.flatMap((one) => {
    const { id, name } = asObject(one);
    const said = id ?? name;
    return typeof said === 'string' ? [said] : [];
  });
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
