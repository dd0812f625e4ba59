import type { ServerResponse } from 'node:http';
import fastify from 'fastify';
import { type Dispatcher, Pool } from 'undici';
import { playRole } from './role.ts';

// The anchor: the least that a gateway on the same two libraries can do. It takes the body as it
// came, sends it on by undici's cheapest interface, and passes on what comes back, unread. It knows
// no name, no schema, no deadline and no failure but 502, and remembers nothing.

/** What one connection says to its peer, and nobody behind it. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

const [agent = ''] = process.argv.slice(2);
const pool = new Pool(agent, { connections: 64, pipelining: 1, keepAliveTimeout: 30_000 });

class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('the caller went away'));
    });
  }

  onResponseStart(_controller: unknown, status: number, headers: object): void {
    this.#response.writeHead(status, endToEnd(headers));
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    this.#response.write(chunk);
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(): void {
    if (!this.#response.headersSent) this.#response.writeHead(502);
    this.#response.end();
  }
}

function endToEnd(headers: object): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!HOP_BY_HOP.has(name)) kept[name] = value as string;
  }
  return kept;
}

const server = fastify({ logger: false });
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body);
});
server.post('/*', (request, reply) => {
  reply.hijack();
  const { url, headers, body } = request;
  const to = {
    method: 'POST',
    path: url,
    headers: endToEnd(headers),
    body: body as Buffer,
  } as const;
  pool.dispatch(to, new Relay(reply.raw));
});
playRole({ origin: await server.listen({ port: 0, host: '127.0.0.1' }) });
