import { ReachError } from '@agent-reach/core';
import { type Ids, idsFrom, type Log, openLog } from '@agent-reach/core/kernel';
import type { Ability } from './ability.ts';
import { type AgentAnswer, receiptAnswer } from './answer.ts';
import { type AgentOptions, authorityOf, demandAddress, pullerId } from './agent-options.ts';
import { atMost } from './at-most.ts';
import type { Capability, CapabilitySpec, Handler } from './capability.ts';
import { Door } from './door.ts';
import { entrance, type Identity, identityOf, type Standing } from './entrance.ts';
import { holdProcess } from './hold-process.ts';
import type { InboundCall } from './inbound.ts';
import { toManifest } from './manifest.ts';
import { Membership } from './membership.ts';
import { Performer, RETRY_AFTER_MS } from './perform.ts';
import { type Ports, systemPorts } from './ports.ts';
import { Reach } from './reach.ts';
import { stopOnSignal } from './shutdown.ts';
import { verifierOf } from './verify-push.ts';
import {
  asCapability,
  type Handled,
  type HandleOptions,
  type TaskHandler,
  toHandled,
} from './task-handler.ts';
import { Crew } from './worker/crew.ts';
import { deliveryOf } from './worker/pushed.ts';

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
  readonly #handled = new Map<string, Handled>();
  readonly #reach: Reach;
  /** With connections of its own: a flood of nested calls must not hold up a heartbeat. */
  readonly #registry: Reach;
  readonly #performer: Performer;
  readonly #membership: Membership;
  readonly #door: Door;
  /** Undefined before `start`. */
  #crew: Crew | undefined;
  readonly #held = new DisposableStack();
  #phase: Phase = 'new';
  #baseUrl = '';
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: AgentOptions, ports: Ports = systemPorts) {
    demandAddress(options);
    this.#options = options;
    this.#ports = ports;
    this.#log = options.log ?? openLog('info');
    this.#ids = idsFrom(ports.clock, ports.random);
    this.#bootId = this.#ids.span();
    const agentId = () => this.#membership.agentId;
    const { endpoint, credentials } = options;
    this.#reach = new Reach({ endpoint, credentials, agentId }, ports);
    this.#registry = new Reach({ endpoint, credentials, agentId }, ports);
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
      inflight: () => this.#inflight,
      pending: () => this.#crew?.pending ?? 0,
      ports,
      log: this.#log,
    });
    this.#door = new Door(this.#entrance(), this.#log);
  }

  /** The id under which the gateway knows the agent; its name until it has been registered. */
  get id(): string {
    return this.#membership.agentId ?? this.#options.name;
  }

  /** Where the gateway reaches the agent; empty before `start`, and for one that has no address. */
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
    this.#demandNew(spec.name);
    this.#capabilities.set(spec.name, { spec, handler: handler as Handler<unknown, unknown> });
    return this;
  }

  /** Declares what `reachAbility` made. */
  use<Params, Result>(ability: Ability<Params, Result>): this {
    return this.capability(ability.reachAbility, ability);
  }

  /**
   * Declares what is done when it is due, not while somebody waits: the agent asks the gateway for
   * tasks of this type and tells what came of them. Callers may call it as well.
   *
   *     agent.handle('render_report', async ({ payload }, ctx) => {
   *       ctx.progress(10, 'fetching');
   *       return render(payload, ctx.signal);
   *     }, { effect: 'read' });
   */
  handle<Payload = Record<string, unknown>, Result = unknown>(
    taskType: string,
    handler: TaskHandler<Payload, Result>,
    options: HandleOptions = {},
  ): this {
    this.#demandNew(taskType);
    const handled = toHandled(taskType, handler as TaskHandler<unknown, unknown>, options);
    this.#handled.set(taskType, handled);
    this.#capabilities.set(taskType, asCapability(handled));
    return this;
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
   * Leaves without losing a call or a task: asks for no more, gives back tasks that have not begun,
   * ends what is under way, then gives its place back and closes. Twice is fine, before `start` too.
   * Never rejects.
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
    this.#phase = 'serving';
    if (this.#options.handleSignals ?? true) {
      this.#held.use(stopOnSignal(this, this.#ports.clock));
    }
    try {
      if (this.#hasDoor) await this.#open();
      else this.#held.use(holdProcess());
      this.#crew = this.#openCrew();
      await this.#membership.join();
      this.#crew.start();
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
    const announced = this.#membership.announceLeaving();
    const retired = this.#crew?.retire(announced);
    await announced;
    if (wasKnown && this.#hasDoor) await clock.sleep(lingerMs);
    this.#phase = 'refusing';
    await retired;
    await atMost(clock, drainMs, Promise.all([this.#performer.idle(), this.#crew?.idle()]));
    this.#performer.abortAll();
    await this.#crew?.giveBack();
    await this.#membership.leave();
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#phase = 'stopped';
    await this.#door.close(this.#ports.clock);
    await Promise.all([this.#reach.close(), this.#registry.close()]);
    this.#held.dispose();
  }

  async #open(): Promise<void> {
    const { host = '127.0.0.1', port = 0, baseUrl } = this.#options;
    const opened = await this.#door.listen(host, port);
    this.#baseUrl = baseUrl ?? `http://${authorityOf(host, opened)}`;
  }

  #openCrew(): Crew {
    const { clock } = this.#ports;
    const { maxConcurrency: concurrency, prefetch } = this.#options;
    return new Crew(
      {
        seat: {
          agentId: () => this.#membership.agentId,
          instanceId: () => this.#membership.instanceId,
          known: () => this.#membership.known(),
          rejoin: () => this.#membership.rejoin(),
        },
        reach: this.#registry,
        perform: {
          agentId: () => this.id,
          reach: this.#reach,
          clock,
          ids: this.#ids,
          log: this.#log,
        },
        ports: this.#ports,
        log: this.#log,
      },
      { handled: this.#handled, concurrency, prefetch },
    );
  }

  /** An agent that only asks for work has no address, unless it was given one. */
  get #hasDoor(): boolean {
    const { port, baseUrl } = this.#options;
    return !this.#onlyHandles || port !== undefined || baseUrl !== undefined;
  }

  get #onlyHandles(): boolean {
    return this.#handled.size > 0 && this.#handled.size === this.#capabilities.size;
  }

  get #inflight(): number {
    return this.#performer.inflight + (this.#crew?.inflight ?? 0);
  }

  #demandNew(name: string): void {
    if (this.#phase !== 'new') {
      throw new TypeError(`Declare ${name} before the agent starts: its manifest lists it.`);
    }
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name)) {
      throw new TypeError(`"${name}" is no ASCII name; what people read is displayName.`);
    }
    if (this.#capabilities.has(name)) throw new TypeError(`${name} is declared twice.`);
  }

  #entrance() {
    return entrance({
      standing: () =>
        this.#phase === 'serving' || this.#phase === 'leaving' ? this.#phase : 'refusing',
      fence: this.#membership.fence,
      identity: () => this.#identity(),
      onlyCapability: () =>
        this.#capabilities.size === 1 ? this.#capabilities.keys().next().value : undefined,
      perform: (call, params, gone) =>
        this.#receipt(call, params) ?? this.#performer.perform(call, params, gone),
      verify: verifierOf(this.#options, {
        baseUrl: () => this.#baseUrl,
        isPlaced: () => this.#membership.addrVersion !== undefined,
        clock: this.#ports.clock,
      }),
      ids: this.#ids,
    });
  }

  /** The answer to a task that is taken and told of later; undefined for what is answered at once. */
  #receipt(call: InboundCall, params: unknown): Promise<AgentAnswer> | undefined {
    const delivery = this.#handled.has(call.capability) ? deliveryOf(call, params) : undefined;
    if (delivery === undefined) return undefined;
    if (this.#crew?.accept(delivery) === true) return Promise.resolve(receiptAnswer());
    const detail = `${this.id} has no place for another ${call.capability} now.`;
    throw new ReachError('agent-busy', detail, { retry_after_ms: RETRY_AFTER_MS });
  }

  #identity(): Identity {
    return identityOf(this.#membership, {
      boot_id: this.#bootId,
      inflight: this.#inflight,
      max_concurrency: this.#maxConcurrency,
    });
  }

  #manifest(): Record<string, unknown> {
    const { instanceId, heartbeatMs } = this.#options;
    return toManifest(this.#options, this.#capabilities.values(), {
      baseUrl: this.#hasDoor ? this.#baseUrl : undefined,
      bootId: this.#bootId,
      instanceId: instanceId ?? (this.#hasDoor ? undefined : pullerId(this.#bootId)),
      heartbeatMs,
      maxConcurrency: this.#onlyHandles ? (this.#crew?.concurrency ?? 1) : this.#maxConcurrency,
    });
  }
}
