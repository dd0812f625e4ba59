import { isIPv6, type Socket } from 'node:net';
import { type Clock, FetchFailure } from '@agent-reach/core/kernel';
import { buildConnector } from 'undici';
import { readAddress } from './networks.ts';

/** What a connector needs from the house. */
export interface PinnedConnectorOptions {
  /** The judged addresses, the only ones that are connected to. */
  addresses: readonly string[];
  clock: Clock;
  connectTimeoutMs: number;
  /** Every socket that is open or opening, until it is closed. */
  sockets: Set<Socket>;
}

/**
 * Connects to judged addresses and to nothing else. Between judging a name and connecting to it,
 * the name may change its mind (DNS rebinding), so it is not asked again: the connector's own
 * lookup answers with the addresses at hand, and the peer of the finished connection is compared
 * once more. If there are several, Node tries them in turn (RFC 8305).
 *
 * Fails with `connect`, `tls` or `refused-address`, never sent: no request is written before.
 */
export function pinnedConnector(options: PinnedConnectorOptions): buildConnector.connector {
  const { addresses, clock, connectTimeoutMs, sockets } = options;
  const expected = new Set(addresses.map(canonical));
  // HTTP/1.1 only: with one request on a connection, whether its bytes have left is a fact.
  // Not undici's timer: it runs on its own clock, and half a second early or late.
  const connect = buildConnector({ allowH2: false, timeout: 0, lookup: pinnedLookup(addresses) });
  return (peer, callback) => {
    let step: 'connect' | 'tls' = 'connect';
    const answer: buildConnector.Callback = (...[error, socket]) => {
      timer[Symbol.dispose]();
      if (error !== null) {
        callback(failure(step, peer.host ?? peer.hostname, error), null);
      } else if (!expected.has(canonical(socket.remoteAddress ?? ''))) {
        socket.destroy();
        const message = `The peer is ${socket.remoteAddress}, which was not judged.`;
        callback(new FetchFailure('refused-address', false, message), null);
      } else callback(null, socket);
    };
    // The typings hide the socket that undici's connector returns.
    const socket = connect(peer, answer) as unknown as Socket;
    sockets.add(socket);
    socket.once('close', () => {
      timer[Symbol.dispose]();
      sockets.delete(socket);
    });
    // Before TLS, the step from TCP to TLS; without TLS this is the end of connecting anyway.
    socket.once('connect', () => {
      step = 'tls';
    });
    const timer = clock.timer(connectTimeoutMs, () => {
      socket.destroy(new Error(`no connection within ${connectTimeoutMs} ms`));
    });
  };
}

type Lookup = NonNullable<
  buildConnector.BuildOptions['lookup' & keyof buildConnector.BuildOptions]
>;

function failure(kind: 'connect' | 'tls', host: string, cause: Error): FetchFailure {
  const what = kind === 'tls' ? 'No TLS with' : 'No connection to';
  // Several addresses that all failed come as one error without a message.
  const why =
    cause instanceof AggregateError ? cause.errors.map(messageOf).join('; ') : cause.message;
  return new FetchFailure(kind, false, `${what} ${host}: ${why}.`, cause);
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

function canonical(address: string): string {
  return readAddress(address)?.toString() ?? address;
}

function pinnedLookup(addresses: readonly string[]): Lookup {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return ((_host: string, options: { all?: boolean }, callback: (...args: unknown[]) => void) => {
    if (options.all === true) callback(null, all);
    else callback(null, all[0]?.address, all[0]?.family);
  }) as unknown as Lookup;
}
