import type { Socket } from 'node:net';
import type { Clock } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { OutboundOptions } from './options.ts';
import { pinnedConnector } from './pinned-connector.ts';

/** The connections of the room, shared by origin and addresses. */
export interface Pools {
  /** The pool of an origin whose addresses were judged. `key` names both. */
  of(key: string, origin: string, addresses: readonly string[]): Pool;
  /** Cuts every connection; resolves when the last one is gone. */
  close(): Promise<void>;
}

const IDLE_MAX_MS = 60_000;

/**
 * A pool is never told of new addresses: a name that moves gets a new pool, and the old one, unused
 * from then on, lets its connections time out. A pool pushed out by newer ones ends its requests
 * first, and takes no new one.
 */
export function openPools(options: OutboundOptions & { clock: Clock }): Pools {
  const { clock, connectTimeoutMs } = options;
  const open = new Set<Pool>();
  const sockets = new Set<Socket>();
  const pools = new LRUCache<string, Pool>({
    max: options.poolsMax,
    dispose: (pool) => {
      pool.close(() => open.delete(pool));
    },
  });

  return {
    of(key, origin, addresses) {
      let pool = pools.get(key);
      if (pool === undefined) {
        pool = new Pool(origin, {
          connect: pinnedConnector({ addresses, clock, connectTimeoutMs, sockets }),
          connections: options.connectionsMax,
          pipelining: 1,
          keepAliveTimeout: options.idleTimeoutMs,
          keepAliveMaxTimeout: Math.max(IDLE_MAX_MS, options.idleTimeoutMs),
          maxHeaderSize: options.responseHeadersBytesMax,
          // The exchange has its own timer over the whole.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        open.add(pool);
        pools.set(key, pool);
      }
      return pool;
    },
    async close() {
      await Promise.all([...open].map((pool) => pool.destroy()));
      // A connection still being made belongs to no pool yet, and would keep the process alive.
      await Promise.all([...sockets].map(closed));
      open.clear();
    },
  };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve()).destroy();
  });
}
