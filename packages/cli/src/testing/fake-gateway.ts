import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  demand,
  type Input,
  type Operation,
  OPERATIONS,
  type OperationName,
  type Output,
  PROBLEM_TYPE,
  ReachError,
  toProblem,
} from '@agent-reach/core';

type Handler = (input: never) => unknown;

/** One request as the gateway read it. */
export interface Seen {
  name: OperationName;
  input: Record<string, unknown>;
}

/**
 * A gateway that speaks the operation table and answers what the test says: a command that disagrees
 * with the table fails here as it would there.
 */
export class FakeGateway implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #handlers = new Map<OperationName, Handler>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
    });
  });

  private constructor() {}

  static async open(): Promise<FakeGateway> {
    const gateway = new FakeGateway();
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What an operation answers from now on. A thrown `ReachError` becomes a problem document. */
  on<K extends OperationName>(
    name: K,
    handler: (input: Input<K>) => Output<K> | Promise<Output<K>>,
  ): this {
    this.#handlers.set(name, handler);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return; // Its test has ended it already.
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; type: string; body: unknown }> {
    try {
      const { name, input } = await read(request);
      this.seen.push({ name, input });
      const handler = this.#handlers.get(name);
      if (handler === undefined)
        throw new ReachError('not-found', `The test is silent on ${name}.`);
      const data = await handler(input as never);
      const operation: Operation = OPERATIONS[name];
      demand(operation.output, data, `The fake answer of ${name}`);
      const body = operation.bare === true ? data : { code: 0, data };
      return { status: 200, type: 'application/json', body };
    } catch (error) {
      const problem = toProblem(ReachError.from(error));
      return { status: problem.status, type: PROBLEM_TYPE, body: problem };
    }
  }
}

async function read(request: IncomingMessage): Promise<Seen> {
  const url = new URL(request.url ?? '', 'http://gateway');
  const { name, operation, fields } = match(request.method ?? '', url.pathname);
  const text = (await request.toArray()).join('');
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const rest = operation.wholeBody === undefined ? body : { [operation.wholeBody]: body };
  const { properties = {} } = operation.input as { properties?: Record<string, { type?: string }> };
  const query = [...url.searchParams].map(([key, value]): [string, unknown] => {
    const type = properties[key]?.type;
    return [key, type === 'integer' || type === 'boolean' ? JSON.parse(value) : value];
  });
  const input = { ...Object.fromEntries(query), ...rest, ...fields };
  demand(operation.input, input, `The input of ${name}`);
  return { name, input };
}

function match(method: string, path: string) {
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${pattern}$`).exec(path);
    if (found === null || operation.method !== method) continue;
    const fields = Object.entries(found.groups ?? {}).map(([key, value]): [string, string] => [
      key,
      decodeURIComponent(value),
    ]);
    return { name, operation, fields: Object.fromEntries(fields) };
  }
  throw new ReachError('not-found', `${method} ${path} is not in the table.`);
}
