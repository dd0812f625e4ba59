import { type Asker, ReachError, type SignedMessage } from '@agent-reach/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, type Proxies } from './client-address.ts';
import { originOf } from './origin.ts';

const FORWARDED = 'x-forwarded-for';

/** Who asks, as far as the door knows. */
export function askerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, proxies }: { publicUrl: string; proxies: Proxies },
): Omit<Asker, 'tenant' | 'principal'> & { told: NonNullable<Asker['told']> } {
  return {
    peer: clientAddress(request.socket.remoteAddress ?? '', request.headers[FORWARDED], proxies),
    origin: originOf(request, publicUrl),
    headers: request.headers,
    // Not behind a getter, though few look: V8 makes a hidden class of its own for each object
    // whose getter is, and those keep whole requests in memory until a major collection.
    signal: signalOf(reply),
    told: {},
  };
}

/** The request as its bytes say it: with the path that was sent, whatever it was rewritten to. */
export function messageOf({
  method,
  originalUrl,
  headers,
  raw,
  body,
}: FastifyRequest): SignedMessage {
  return {
    method,
    target: originalUrl,
    authority: headers.host ?? '',
    rawHeaders: raw.rawHeaders,
    body: body instanceof Uint8Array ? body : NO_BODY,
  };
}

const NO_BODY = new Uint8Array();

/** Aborted when the connection closes before the answer is out. */
function signalOf(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const gone = () => {
    if (!reply.raw.writableFinished) {
      abort.abort(new ReachError('cancelled', 'The caller went away.'));
    }
  };
  if (reply.raw.destroyed) gone();
  else reply.raw.on('close', gone);
  return abort.signal;
}
