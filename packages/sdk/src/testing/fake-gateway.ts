import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  demand,
  type Input,
  ManifestFormA,
  type Operation,
  OPERATIONS,
  type OperationName,
  type Output,
  PROBLEM_TYPE,
  ReachError,
  type SignedMessage,
  toProblem,
} from '@agent-reach/core';

/** One request as it arrived. */
export interface Seen<K extends OperationName = OperationName> {
  name: K;
  input: Input<K>;
  headers: IncomingHttpHeaders;
  /** As its bytes say it. */
  message: SignedMessage;
}

/** What a fake gateway answers to an operation. */
export type FakeHandler<K extends OperationName> = (
  input: Input<K>,
  seen: Seen<K>,
) => Output<K> | Promise<Output<K>>;

/**
 * A gateway that only speaks the contract: it reads requests by the operation table, refuses what
 * the table refuses, and answers what the test says. So a test of the SDK fails when the SDK and
 * the table disagree.
 */
export class FakeGateway implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #handlers = new Map<OperationName, FakeHandler<never>>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
    });
  });
  #waiting: (() => void)[] = [];

  private constructor() {
    this.on('agents.register', ({ manifest }) => {
      demand(ManifestFormA, manifest, 'The manifest');
      return registered(String(manifest['name']));
    });
    this.on('agents.heartbeat', ({ agent_id }) => beaten(agent_id));
    this.on('agents.drain', ({ agent_id }) => ({ agent_id, instances: [] }));
    this.on('agents.remove', () => ({ removed: true }));
    this.on('system.readyz', () => ({ status: 'ok' }));
  }

  /** @param port One that was taken before, for a gateway that comes back. */
  static async open(port = 0): Promise<FakeGateway> {
    const gateway = new FakeGateway();
    gateway.#server.listen(port, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What an operation answers from now on. A thrown `ReachError` becomes a problem document. */
  on<K extends OperationName>(name: K, handler: FakeHandler<K>): this {
    this.#handlers.set(name, handler);
    return this;
  }

  /** All requests for an operation so far. */
  all<K extends OperationName>(name: K): Seen<K>[] {
    return this.seen.filter((one): one is Seen<K> => one.name === name);
  }

  /** The request number `count` for an operation, as soon as it has come. */
  async nth<K extends OperationName>(name: K, count: number): Promise<Seen<K>> {
    for (;;) {
      const found = this.all(name)[count - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; type: string; body: unknown }> {
    try {
      const seen = await read(request);
      this.seen.push(seen);
      for (const wake of this.#waiting.splice(0)) wake();
      const handler = this.#handlers.get(seen.name) as FakeHandler<OperationName> | undefined;
      if (handler === undefined)
        throw new ReachError('not-found', `Nobody said what ${seen.name} answers.`);
      const output = await handler(seen.input, seen);
      const operation: Operation = OPERATIONS[seen.name];
      demand(operation.output, output, `The fake answer of ${seen.name}`);
      const body = operation.bare === true ? output : { code: 0, data: output };
      return { status: 200, type: 'application/json', body };
    } catch (error) {
      const problem = toProblem(ReachError.from(error));
      return { status: problem.status, type: PROBLEM_TYPE, body: problem };
    }
  }
}

async function read(request: IncomingMessage): Promise<Seen> {
  const url = new URL(request.url ?? '', 'http://gateway');
  const match = matched(request.method ?? '', url.pathname);
  const text = (await request.toArray()).join('');
  const { name, operation, fields } = match;
  const body: unknown = text === '' ? {} : JSON.parse(text);
  const rest = operation.wholeBody === undefined ? body : { [operation.wholeBody]: body };
  const input = { ...queryOf(url, operation), ...(rest as object), ...fields };
  demand(operation.input, input, `The input of ${name}`);
  const message = {
    method: request.method ?? '',
    target: request.url ?? '',
    authority: request.headers.host ?? '',
    rawHeaders: request.rawHeaders,
    body: Buffer.from(text),
  };
  return { name, input, headers: request.headers, message };
}

/** What the schema wants as a number or a boolean is read as one, as the real door does. */
function queryOf(url: URL, { input }: Operation): Record<string, unknown> {
  const { properties = {} } = input as { properties?: Record<string, { type?: string }> };
  const entries = [...url.searchParams].map(([name, text]): [string, unknown] => {
    const type = properties[name]?.type;
    return [name, type === 'integer' || type === 'boolean' ? JSON.parse(text) : text];
  });
  return Object.fromEntries(entries);
}

function matched(method: string, path: string) {
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (found === null || operation.method !== method) continue;
    const entries = Object.entries(found.groups ?? {});
    const fields = Object.fromEntries(
      entries.map(([key, value]) => [key, decodeURIComponent(value)]),
    );
    return { name, operation, fields };
  }
  throw new ReachError('not-found', `${method} ${path} is not in the table.`);
}

/** What a gateway answers to a registration. */
export function registered(agentId: string, addrVersion = 'e.1'): Output<'agents.register'> {
  return {
    agent_id: agentId,
    manifest_version: 1,
    outcome: 'created',
    breaking: [],
    warnings: [],
    instance: {
      instance_id: `${agentId}-1`,
      addr_version: addrVersion,
      lease_ms: 45_000,
      heartbeat_interval_ms: 15_000,
    },
  };
}

/** What a gateway answers to a heartbeat. */
export function beaten(agentId: string, nextMs = 15_000): Output<'agents.heartbeat'> {
  return {
    agent_id: agentId,
    instance_id: `${agentId}-1`,
    lease_ms: 45_000,
    next_heartbeat_ms: nextMs,
    observed: 'up',
    intent: 'enabled',
    addr_version: 'e.1',
    manifest_version: 1,
  };
}

/** What a gateway answers to a call. */
export function answered(request: Input<'calls.invoke'>, result: unknown): Output<'calls.invoke'> {
  return {
    request_id: request.request_id ?? 'none',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    status: 'ok',
    result,
    provider: { agent: 'orders', instance: 'orders-1', version: 1 },
    route: { route_id: 'rte_1', strategy: 'exact_match', score: 1 },
    timing: { match_ms: 1, queue_ms: 0, agent_ms: 2, return_ms: 1, total_ms: 4 },
    retry_count: 0,
    replayed: false,
    warnings: [],
  };
}
