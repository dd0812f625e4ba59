import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What may be a host: nothing that could end a header's value, or the string in it. */
const HOST = /^[A-Za-z0-9._-]{1,253}(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?$/;

/** Scheme and host of the gateway, as this client reaches it. `publicUrl`: as all do; empty: unknown. */
export function originOf(
  { headers: { host = '' }, protocol, socket }: FastifyRequest,
  publicUrl: string,
): string {
  if (publicUrl !== '') return publicUrl.replace(/\/$/, '');
  if (HOST.test(host)) return `${protocol}://${host}`;
  const { localAddress: address = '', localPort } = socket;
  return `${protocol}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
}
