import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Listenable } from '@agent-reach/core/kernel';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';

/** A certificate with all that follow it, and its key, in PEM. */
export interface TlsPair {
  cert: string;
  key: string;
}

/** The pair that holds now, and news of the next one. */
export interface TlsSource {
  current(): TlsPair;
  changed: Listenable<TlsPair>;
}

const VERSION_MIN = 'TLSv1.2';
/** A handshake that takes longer holds a socket for nobody; Node would wait two minutes. */
const HANDSHAKE_MS = 10_000;

/** The options of a server that speaks TLS, in the form of one that does not: the rest is the same. */
export function withTls(
  options: FastifyHttpOptions<Server>,
  source: TlsSource | undefined,
): FastifyHttpOptions<Server> {
  if (source === undefined) return options;
  const https = {
    ...options.http,
    ...source.current(),
    minVersion: VERSION_MIN,
    handshakeTimeout: HANDSHAKE_MS,
    ALPNProtocols: ['http/1.1'],
  };
  return { ...options, https } as FastifyHttpOptions<Server>;
}

/** Lets a server show each next pair to whoever connects; who is connected stays so. */
export function followTls(server: FastifyInstance, source: TlsSource): Disposable {
  return source.changed.on((pair) =>
    (server.server as unknown as HttpsServer).setSecureContext({
      ...pair,
      minVersion: VERSION_MIN,
    }),
  );
}
