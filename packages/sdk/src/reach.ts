import {
  type Answer,
  type CallRequest,
  type ErrorFacts,
  HEADERS,
  type Input,
  type Output,
  ReachError,
  type RouteAnswer,
  type RouteRequest,
  type StreamName,
  type UnaryName,
} from '@agent-reach/core';
import { type Clock, Deadline, type Ids, idsFrom } from '@agent-reach/core/kernel';
import { type AgentsGroup, agentsGroup } from './agents-watch.ts';
import {
  type Asked,
  type ConfirmOptions,
  decided,
  needsConfirmation,
  presentedCode,
} from './confirm.ts';
import { type CourseOptions, Unanswered } from './course.ts';
import { type Credentials, credentialsIn } from './credentials.ts';
import { type DegradeText, defaultDegradeText, withDegrade } from './degrade.ts';
import { isBroken, toReachError } from './failure.ts';
import { Gateways } from './gateways.ts';
import { type Group, groupOf, type Invoke, type InvokeOptions } from './groups.ts';
import { Patience } from './patience.ts';
import { type Ports, systemPorts } from './ports.ts';
import { mayRepeat } from './repeatable.ts';
import { spentIn } from './spent.ts';
import { currentScope, nestedRequestId, type Scope } from './scope.ts';
import {
  type CallOptions,
  isNamedBy,
  type RouteOptions,
  type Selector,
  toCallRequest,
} from './selector.ts';
import { Tasks } from './tasks.ts';
import { type OpenStream, type StreamOptions, streamsOf } from './streams.ts';
import { isOverload, Throttle, throttleTarget } from './throttle.ts';
import { type Trace, traceOf } from './trace.ts';
import { fromReply, toRequest } from './wire.ts';

/** How to reach the gateway, and as whom. */
export interface ReachOptions {
  /**
   * One gateway, or several of one store (a list, or commas between), of which one that fails is
   * left for another. Default: `REACH_ENDPOINT`, else `http://127.0.0.1:8080`.
   */
  endpoint?: string | readonly string[] | undefined;
  /**
   * Who calls; a function when that is known later only. Default: inside a handler its agent,
   * elsewhere nobody (`anonymous`).
   */
  agentId?: string | (() => string | undefined) | undefined;
  /**
   * By what the client shows who it is, where the gateway asks. Default: what the environment says
   * in `REACH_CLIENT_ID` and `REACH_KEY`, or in `REACH_TOKEN`; else nothing.
   */
  credentials?: Credentials | undefined;
  /** Default: the one of the credential; `internal` where the gateway runs open. */
  tenant?: string | undefined;
  /**
   * How long a caller waits, milliseconds. Must be longer than the gateway waits for the agent, or
   * answers that are under way are thrown away. Default 3 000.
   */
  timeoutMs?: number | undefined;
  /** The hint that a timed-out call carries for the user. Read it with `degradeOf`. */
  degrade?: DegradeText | undefined;
  /**
   * False: everything is sent, however often a target turns requests away. By default a client that
   * is turned away more than every second time holds back a part of what it would ask (503
   * `overloaded` with `throttled`), so that it does not keep the overload alive.
   */
  throttle?: boolean | undefined;
}

const LOCAL_GATEWAY = 'http://127.0.0.1:8080';
/** The caller waits 3 s, the gateway 2.5 s, the agent has 2 s. */
const TIMEOUT_MS = 3_000;
const USER_AGENT = 'agent-reach-sdk/0.1.0';

/**
 * The caller's side: reaches any capability, and every operation of the gateway.
 *
 * Every failure is a `ReachError`. What an agent failed at is not retried here: the gateway does
 * that, by effect and by evidence, and a second layer would multiply attempts. What a gateway
 * failed at goes to another one, where that does no harm (`course.ts`). Idle connections do not
 * hold the process; `close()` ends them.
 */
export class Reach implements AsyncDisposable {
  readonly agents: AgentsGroup;
  readonly connectors: Group<'connectors'>;
  readonly routes: Group<'routes'>;
  readonly calls: Group<'calls'>;
  readonly tasks: Tasks;
  readonly deadLetters: Group<'dead-letters'>;
  readonly orders: Group<'orders'>;
  readonly queues: Group<'queues'>;
  readonly policies: Group<'policies'>;
  readonly budgets: Group<'budgets'>;
  readonly clients: Group<'clients'>;
  readonly confirmations: Group<'confirmations'>;
  readonly capabilities: Group<'capabilities'>;
  readonly traces: Group<'traces'>;
  readonly audit: Group<'audit'>;
  readonly system: Group<'system'>;

  readonly #gateways: Gateways;
  readonly #open: OpenStream;
  readonly #agentId: () => string | undefined;
  readonly #tenant: string | undefined;
  readonly #timeoutMs: number;
  readonly #degrade: DegradeText;
  readonly #throttle: Throttle | undefined;
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** Calls that were answered by a question, for as long as somebody has the answer. */
  readonly #asked = new WeakMap<Answer, Asked>();

  constructor(options: ReachOptions = {}, ports: Ports = systemPorts) {
    this.#gateways = new Gateways(
      options.endpoint ?? process.env['REACH_ENDPOINT'] ?? LOCAL_GATEWAY,
      ports,
      options.credentials ?? credentialsIn(process.env),
    );
    const { agentId } = options;
    this.#agentId = typeof agentId === 'function' ? agentId : () => agentId;
    this.#tenant = options.tenant;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#degrade = options.degrade ?? defaultDegradeText;
    this.#throttle = options.throttle === false ? undefined : new Throttle(ports);
    this.#clock = ports.clock;
    this.#ids = idsFrom(ports.clock, ports.random);

    const invoke: Invoke = (name, input, use) => this.invoke(name, input, use);
    const headers = () => this.#headers(currentScope(), { id: '' });
    this.#open = streamsOf({ gateways: this.#gateways, ports, headers });
    this.agents = agentsGroup(invoke, this.#open, ports);
    this.connectors = groupOf('connectors', invoke);
    this.routes = groupOf('routes', invoke, this.#open);
    this.calls = groupOf('calls', invoke);
    this.deadLetters = groupOf('dead-letters', invoke);
    this.orders = groupOf('orders', invoke);
    this.queues = groupOf('queues', invoke);
    this.policies = groupOf('policies', invoke);
    this.budgets = groupOf('budgets', invoke);
    this.clients = groupOf('clients', invoke);
    this.confirmations = groupOf('confirmations', invoke);
    this.capabilities = groupOf('capabilities', invoke);
    this.traces = groupOf('traces', invoke);
    this.audit = groupOf('audit', invoke);
    this.system = groupOf('system', invoke);
    this.tasks = new Tasks({
      invoke,
      ids: this.#ids,
      ports,
      inherited: (scope) => this.#inherited(scope),
    });
  }

  /** The gateway that requests go to now. */
  get endpoint(): string {
    return this.#gateways.endpoint;
  }

  /**
   * Calls a capability and waits for its result.
   *
   * `T` is the caller's belief: the gateway holds a result to the schema that the agent declared,
   * nothing holds it to `T`. A timeout carries a hint for the user (`degradeOf`).
   *
   * A spent budget is no failure but an answer, whatever the gateway makes of it on the wire: its
   * `degrade` says what is left and when there is more, its `result` is null, and nothing was done.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- A cast would say the same, longer.
  async call<T = unknown>(
    selector: Selector,
    params?: unknown,
    options: CallOptions = {},
  ): Promise<Answer & { result: T }> {
    const request = this.#request(selector, params, options);
    return this.#asking<T>({ request, isNamed: isNamedBy(selector, options), options });
  }

  /**
   * Makes a call once more that was answered with `needs_confirmation`, exactly as it was made: with the
   * code, or once a person has approved it, for whom this waits. Throws `confirmation-invalid` where he
   * refused or the time is over.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As for `call`.
  async confirm<T = unknown>(
    answer: Answer,
    options: ConfirmOptions = {},
  ): Promise<Answer & { result: T }> {
    const asked = this.#asked.get(answer);
    if (asked === undefined || !needsConfirmation(answer)) {
      throw new TypeError('This answer asks for no confirmation, or was given to somebody else.');
    }
    const { confirmation } = answer;
    const code = presentedCode(confirmation, options.code);
    if (confirmation.by === 'human') {
      const look = (id: string) => this.confirmations.get(id, {}, { signal: options.signal });
      await decided(confirmation, options, { look, clock: this.#clock });
    }
    const request = { ...asked.request, confirmation_code: code };
    return this.#asking<T>({ ...asked, request });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As for `call`.
  async #asking<T>(asked: Asked): Promise<Answer & { result: T }> {
    const { request, isNamed, options } = asked;
    try {
      const answer = await this.#call(request, isNamed, options);
      if (needsConfirmation(answer)) this.#asked.set(answer, asked);
      return answer as Answer & { result: T };
    } catch (error) {
      const spent = spentIn(error);
      if (spent !== undefined) return spent as Answer & { result: T };
      const { degradeText } = options;
      const textOf = degradeText === undefined ? this.#degrade : () => degradeText;
      throw ReachError.is(error) ? withDegrade(error, textOf) : error;
    }
  }

  /** Asks who should do this now. Whoever asked goes there directly. */
  async route(
    selector: string | RouteRequest,
    params?: unknown,
    options: RouteOptions = {},
  ): Promise<RouteAnswer> {
    return this.invoke('routes.decide', this.#request(selector, params, options), options);
  }

  /** Runs an operation of the table by its name; `agents.get` and the like are shorter. */
  invoke<K extends UnaryName>(
    name: K,
    input: Input<K>,
    options: InvokeOptions = {},
  ): Promise<Output<K>> {
    return this.#invoke(name, input, options, {
      mayRepeat: mayRepeat(name, input),
      isRepeat: false,
    });
  }

  /**
   * A call whose sender did not name it has a name of our making, by which gateways know a declared
   * write again. Whether it is declared is asked when that matters: when its connection broke.
   */
  async #call(request: CallRequest, isNamed: boolean, options: CallOptions): Promise<Answer> {
    const { timeoutMs = this.#timeoutMs, signal } = options;
    const deadline = Deadline.in(this.#clock, timeoutMs);
    const first = { mayRepeat: isNamed, isRepeat: false };
    try {
      return await this.#invoke('calls.invoke', request, options, first);
    } catch (error) {
      if (isNamed || !isBroken(error) || !(await this.#isDeclared(request, deadline, signal))) {
        throw error;
      }
      const rest = { timeoutMs: deadline.remainingMs(), signal };
      const again = { mayRepeat: true, isRepeat: true };
      return this.#invoke('calls.invoke', request, rest, again);
    }
  }

  /** Whether whoever would serve the call says what it does to the world. */
  async #isDeclared(
    request: CallRequest,
    deadline: Deadline,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const {
      idempotency_key: _,
      timeout: __,
      timeout_ms: ___,
      request_id: ____,
      confirmation_code: _____,
      ...rest
    } = request;
    try {
      const limits = { timeoutMs: deadline.remainingMs(), signal };
      return (await this.invoke('routes.decide', rest, limits)).effect !== undefined;
    } catch {
      return false; // Nobody can say, so the caller is told that nobody knows.
    }
  }

  async #invoke<K extends UnaryName>(
    name: K,
    input: Input<K>,
    options: InvokeOptions,
    course: CourseOptions,
  ): Promise<Output<K>> {
    const scope = currentScope();
    using patience = new Patience({
      clock: this.#clock,
      limitMs: options.timeoutMs ?? this.#timeoutMs,
      within: scope?.deadline,
      signals: [options.signal, scope?.signal],
    });
    const { deadline, signal } = patience;
    const limitMs = deadline.remainingMs();
    const asked = input as Partial<CallRequest>;
    const trace = traceOf(scope, asked.context?.trace_id, this.#ids);
    const headers = this.#headers(scope, trace);
    const target = throttleTarget(name, input);
    const turnedAway =
      target === undefined ? undefined : this.#throttle?.admit(target, factsOf(asked, trace));
    try {
      // A question for work is asked anew; what its late answer brings is nobody's until its lease ends.
      const mayLeave = course.mayRepeat || name === 'tasks.claim';
      const request = { ...toRequest(name, input), ...course, mayLeave, headers, deadline, signal };
      const { status, text, headers: answered, isRepeat } = await this.#gateways.send(request);
      const reply = { status, text, retryAfter: answered[HEADERS.retryAfter], isRepeat };
      return fromReply(name, reply) as Output<K>;
    } catch (failure) {
      if (isOverload(failure)) turnedAway?.();
      if (!(failure instanceof Unanswered)) throw failure;
      throw toReachError(failure, patience, {
        what: asked.capability ?? name,
        limitMs,
        facts: factsOf(asked, trace),
      });
    }
  }

  /** Reads a stream of the table by its name; `routes.watch` and the like are shorter. */
  stream<K extends StreamName<'events'>>(name: K, input: Input<K>, options?: StreamOptions) {
    return this.#open.events(name, input, options);
  }

  /** Ends every connection; calls that still run fail. Twice is fine. */
  close(): Promise<void> {
    return this.#gateways.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #request(selector: Selector, params: unknown, options: CallOptions): CallRequest {
    const scope = currentScope();
    const nested = scope && nestedRequestId(scope, JSON.stringify(selector));
    return toCallRequest(selector, params, options, {
      requestId: nested ?? this.#ids.next('call'),
      agentId: this.#agentId() ?? scope?.agentId,
      tenant: this.#tenant,
      onBehalfOf: scope?.onBehalfOf,
      userStamp: scope?.userStamp,
    });
  }

  /** What a task inherits from where it is submitted. */
  #inherited(scope: Scope | undefined) {
    const agentId = this.#agentId() ?? scope?.agentId;
    const context = {
      ...(scope?.onBehalfOf === undefined ? {} : { on_behalf_of: scope.onBehalfOf }),
      ...(scope?.userStamp === undefined ? {} : { user_stamp: scope.userStamp }),
    };
    return {
      ...(agentId === undefined ? {} : { agent_id: agentId }),
      ...(this.#tenant === undefined ? {} : { tenant: this.#tenant }),
      ...(Object.keys(context).length === 0 ? {} : { context }),
    };
  }

  #headers(scope: Scope | undefined, trace: Trace): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json, application/problem+json',
      'user-agent': USER_AGENT,
      ...(trace.header === undefined ? {} : { [HEADERS.traceparent]: trace.header }),
      ...(this.#tenant === undefined ? {} : { [HEADERS.tenant]: this.#tenant }),
      ...(scope?.callToken === undefined ? {} : { [HEADERS.callToken]: scope.callToken }),
    };
  }
}

function factsOf(asked: Partial<CallRequest>, trace: Trace): ErrorFacts {
  const { request_id: requestId, capability } = asked;
  return {
    trace_id: trace.id,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(capability === undefined ? {} : { capability }),
  };
}
