/**
 * What the agents without the SDK share: a server of Node's own, and one registration. They know no
 * header of ours, remember no key, and do whatever each request says.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Reach } from '@agent-reach/sdk';
import { flag, say } from './stage.ts';

/** Answers one call of a capability, or does not. */
export type Bare = (
  call: { params: Record<string, unknown>; request: IncomingMessage },
  response: ServerResponse,
) => void | Promise<void>;

/** Serves the capabilities and, unless told `--unregistered`, registers them. */
export async function serveBare(
  name: string,
  capabilities: readonly Record<string, unknown>[],
  behaviours: Readonly<Record<string, Bare>>,
): Promise<void> {
  const server = createServer((request, response) => {
    void answer(request, response, behaviours);
  }).listen(Number(flag('port') ?? 0), '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!process.argv.includes('--unregistered')) {
    await using reach = new Reach();
    const network = { base_url: baseUrl };
    await reach.agents.register({ manifest: { name, capabilities, network } });
  }
  say('ready', { id: name, base_url: baseUrl, pid: process.pid });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  behaviours: Readonly<Record<string, Bare>>,
): Promise<void> {
  if (request.method === 'GET') {
    json(response, 200, { status: 'ok' });
    return;
  }
  const behaviour = behaviours[/^\/abilities\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? ''];
  const body = await text(request).catch(() => '');
  if (behaviour === undefined) json(response, 404, { detail: 'Not Found' });
  else await behaviour({ params: JSON.parse(body) as Record<string, unknown>, request }, response);
}

/** A JSON answer. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
