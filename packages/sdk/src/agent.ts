import { isIP } from 'node:net';
import { type Ids, idsFrom, type Log, openLog } from '@agent-reach/core/kernel';
import type { Ability } from './ability.ts';
import { atMost } from './at-most.ts';
import type { Capability, CapabilitySpec, Handler } from './capability.ts';
import { Door } from './door.ts';
import { entrance, type Identity, type Standing } from './entrance.ts';
import { type ManifestHead, toManifest } from './manifest.ts';
import { Membership } from './membership.ts';
import { Performer } from './perform.ts';
import { type Ports, systemPorts } from './ports.ts';
import { Reach, type ReachOptions } from './reach.ts';
import { stopOnSignal } from './shutdown.ts';

/** Who an agent is and how it lives. Only `name` is needed. */
export interface AgentOptions extends ManifestHead {
  /** The gateway; see `ReachOptions.endpoint`. */
  endpoint?: ReachOptions['endpoint'];
  /** Where to listen. Default `127.0.0.1`: seen from this machine only. */
  host?: string | undefined;
  /** Default 0: any free port, another one after each restart. */
  port?: number | undefined;
  /**
   * The address at which the gateway reaches this agent. Default `http://host:port`; must be given
   * when `host` is a wildcard such as `0.0.0.0`, which is nobody's address.
   */
  baseUrl?: string | undefined;
  /**
   * Default: the gateway derives one from `baseUrl`, so that a restart takes the same place again.
   */
  instanceId?: string | undefined;
  /** A fixed interval. Default: the gateway says how often it wants to hear. */
  heartbeatMs?: number | undefined;
  /**
   * Calls at once. More are answered 503 `agent-busy`, and the gateway asks another. Default 100.
   */
  maxConcurrency?: number | undefined;
  /**
   * How long a stopping agent still takes calls from those who were sent to it before they could
   * know. Shorter stops sooner and refuses some. Default 1 000.
   */
  lingerMs?: number | undefined;
  /** How long a stopping agent waits for running handlers before it aborts them. Default 30 000. */
  drainMs?: number | undefined;
  /** Stop on SIGTERM and SIGINT, then end the process. Default true. */
  handleSignals?: boolean | undefined;
  /** Default: JSON lines on standard error, from `info` on. */
  log?: Log | undefined;
}

const MAX_CONCURRENCY = 100;
const LINGER_MS = 1_000;
const DRAIN_MS = 30_000;

/** Where an agent is in its life. It lives once. */
type Phase = 'new' | Standing | 'stopped';

/**
 * The agent's side: offers capabilities, and stays reachable.
 *
 *     const agent = new Agent({ name: 'orders' }).capability(
 *       { name: 'query_order_status', description: 'Where an order is.', effect: 'read' },
 *       ({ order_no }: { order_no: string }) => find(order_no),
 *     );
 *     await agent.start();
 */
export class Agent implements AsyncDisposable {
  readonly #options: AgentOptions;
  readonly #ports: Ports;
  readonly #log: Log;
  readonly #ids: Ids;
  readonly #bootId: string;
  readonly #capabilities = new Map<string, Capability>();
  readonly #reach: Reach;
  /** With connections of its own: a flood of nested calls must not hold up a heartbeat. */
  readonly #registry: Reach;
  readonly #performer: Performer;
  readonly #membership: Membership;
  readonly #door: Door;
  #phase: Phase = 'new';
  #baseUrl = '';
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #signals: Disposable | undefined;

  constructor(options: AgentOptions, ports: Ports = systemPorts) {
    demandAddress(options);
    this.#options = options;
    this.#ports = ports;
    this.#log = options.log ?? openLog('info');
    this.#ids = idsFrom(ports.clock, ports.random);
    this.#bootId = this.#ids.span();
    const agentId = () => this.#membership.agentId;
    this.#reach = new Reach({ endpoint: options.endpoint, agentId }, ports);
    this.#registry = new Reach({ endpoint: options.endpoint, agentId }, ports);
    this.#performer = new Performer({
      agentId: () => this.id,
      capabilities: this.#capabilities,
      maxConcurrency: this.#maxConcurrency,
      reach: this.#reach,
      clock: ports.clock,
      log: this.#log,
    });
    this.#membership = new Membership({
      reach: this.#registry,
      manifest: () => this.#manifest(),
      bootId: this.#bootId,
      inflight: () => this.#performer.inflight,
      ports,
      log: this.#log,
    });
    this.#door = new Door(this.#entrance(), this.#log);
  }

  /** The id under which the gateway knows the agent; its name until it has been registered. */
  get id(): string {
    return this.#membership.agentId ?? this.#options.name;
  }

  /** Where the gateway reaches the agent; empty before `start`. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** For calls outside of handlers; they are made in the agent's name. */
  get reach(): Reach {
    return this.#reach;
  }

  /** Declares a capability. All are declared before `start`, because the manifest lists them. */
  capability<Params = Record<string, unknown>, Result = unknown>(
    spec: CapabilitySpec,
    handler: Handler<Params, Result>,
  ): this {
    if (this.#phase !== 'new') {
      throw new TypeError(`Declare ${spec.name} before the agent starts: its manifest lists it.`);
    }
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(spec.name)) {
      throw new TypeError(`"${spec.name}" is no ASCII name; what people read is displayName.`);
    }
    if (this.#capabilities.has(spec.name)) {
      throw new TypeError(`${spec.name} is declared twice.`);
    }
    this.#capabilities.set(spec.name, { spec, handler: handler as Handler<unknown, unknown> });
    return this;
  }

  /** Declares what `reachAbility` made. */
  use<Params, Result>(ability: Ability<Params, Result>): this {
    return this.capability(ability.reachAbility, ability);
  }

  /**
   * Opens the agent's door and registers it. Rejects when the address is taken or the gateway
   * refuses the manifest; a gateway that is away is waited for in the background.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Leaves without losing a call: asks for no more, answers those under way, then gives its place
   * back and closes. Twice is fine, before `start` too. Never rejects.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get #maxConcurrency(): number {
    return this.#options.maxConcurrency ?? MAX_CONCURRENCY;
  }

  async #start(): Promise<void> {
    if (this.#phase !== 'new') throw new TypeError('An agent lives once: make a new one.');
    const { host = '127.0.0.1', port = 0, baseUrl, handleSignals = true } = this.#options;
    this.#phase = 'serving';
    if (handleSignals) this.#signals = stopOnSignal(this, this.#ports.clock);
    try {
      const opened = await this.#door.listen(host, port);
      this.#baseUrl = baseUrl ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${opened}`;
      await this.#membership.join();
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async #stop(): Promise<void> {
    if (this.#starting === undefined) {
      await this.#close();
      return;
    }
    await this.#starting.catch(() => {}); // Whoever started it was told.
    if (this.#phase !== 'serving') return;
    const { clock } = this.#ports;
    const { lingerMs = LINGER_MS, drainMs = DRAIN_MS } = this.#options;
    // Nobody was sent to an agent that was never registered.
    const wasKnown = this.#membership.agentId !== undefined;
    this.#phase = 'leaving';
    await this.#membership.announceLeaving();
    if (wasKnown) await clock.sleep(lingerMs);
    this.#phase = 'refusing';
    await atMost(clock, drainMs, this.#performer.idle());
    this.#performer.abortAll();
    await this.#membership.leave();
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#phase = 'stopped';
    await this.#door.close(this.#ports.clock);
    await Promise.all([this.#reach.close(), this.#registry.close()]);
    this.#signals?.[Symbol.dispose]();
  }

  #entrance() {
    return entrance({
      standing: () =>
        this.#phase === 'serving' || this.#phase === 'leaving' ? this.#phase : 'refusing',
      identity: () => this.#identity(),
      onlyCapability: () =>
        this.#capabilities.size === 1 ? this.#capabilities.keys().next().value : undefined,
      perform: (call, params, gone) => this.#performer.perform(call, params, gone),
      ids: this.#ids,
    });
  }

  #identity(): Identity {
    const { agentId, instanceId, addrVersion } = this.#membership;
    return {
      ...(agentId === undefined ? {} : { agent_id: agentId }),
      ...(instanceId === undefined ? {} : { instance_id: instanceId }),
      ...(addrVersion === undefined ? {} : { addr_version: addrVersion }),
      boot_id: this.#bootId,
      inflight: this.#performer.inflight,
      max_concurrency: this.#maxConcurrency,
    };
  }

  #manifest(): Record<string, unknown> {
    const { instanceId, heartbeatMs } = this.#options;
    return toManifest(this.#options, this.#capabilities.values(), {
      baseUrl: this.#baseUrl,
      bootId: this.#bootId,
      instanceId,
      heartbeatMs,
      maxConcurrency: this.#maxConcurrency,
    });
  }
}

function demandAddress({ host, baseUrl }: AgentOptions): void {
  const isWildcard = host === '0.0.0.0' || host === '::' || host === '';
  if (!isWildcard || baseUrl !== undefined) return;
  throw new TypeError(
    `${host} is every address and no address: say baseUrl, where the gateway calls.`,
  );
}
