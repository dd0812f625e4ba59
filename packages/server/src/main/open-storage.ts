import { ReachError } from '@agent-reach/core';
import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import { openPostgres } from '../storage/postgres/open.ts';
import { openRedis } from '../storage/redis/open.ts';
import type { Storage } from '../storage/spi/storage.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { driverOf, type StorageSettings } from './storage-options.ts';

/** What every driver needs of the house. */
export interface StorageGround {
  clock: Clock;
  random: Random;
  log: Log;
}

/** How long after an attempt the next one begins. */
const RETRY_MS = 500;

/**
 * Opens the store that the options name, and waits for a server that does not answer yet: what starts
 * together starts in any order. Throws `store-unavailable` when it did not come in time, or would
 * lose what it accepted.
 */
export async function openStorage(
  settings: StorageSettings,
  ground: StorageGround,
): Promise<Storage> {
  const { clock, log } = ground;
  // The embedded store is a file of this machine: waiting does not mend what is wrong with it.
  const waitMs = driverOf(settings) === 'sqlite' ? 0 : settings.waitMs;
  const over = clock.monotonic() + waitMs;
  for (let tries = 1; ; tries++) {
    try {
      return await openOnce(settings, ground);
    } catch (error) {
      if (!isAway(error) || clock.monotonic() + RETRY_MS > over) throw error;
      if (tries === 1) {
        const said = { error: String(error), forMs: waitMs };
        log.warn(said, 'the store does not answer yet and is waited for');
      }
    }
    await clock.sleep(RETRY_MS);
  }
}

/** Whether it may well be there in a moment; one that was refused will be the same then. */
function isAway(error: unknown): boolean {
  return ReachError.is(error) && error.code === 'store-unavailable' && error.retryable;
}

async function openOnce(settings: StorageSettings, ground: StorageGround): Promise<Storage> {
  switch (driverOf(settings)) {
    case 'sqlite':
      return openSqlite({ dir: settings.dataDir, ...ground });
    case 'redis':
      return redis(settings, ground);
    case 'postgres':
      return postgres(settings, ground);
    case 'mixed':
      return mixed(settings, ground);
  }
}

function redis(settings: StorageSettings, ground: StorageGround): Promise<Storage> {
  const { redisAddr: url, redisPrefix: prefix, redisEvicts: allowEviction } = settings;
  return openRedis({ url, prefix, allowEviction, ...ground });
}

function postgres(settings: StorageSettings, ground: StorageGround): Promise<Storage> {
  const { dbDsn: url, dbSchema: schema } = settings;
  const { dbConnections: connectionsMax, dbPooled: isPooled } = settings;
  return openPostgres({ url, schema, connectionsMax, isPooled, ...ground });
}

/**
 * What moves often in Redis, what is asked for in many ways in PostgreSQL. Tasks and keys stay
 * together: the key of a task is written with it, in one move.
 */
async function mixed(settings: StorageSettings, ground: StorageGround): Promise<Storage> {
  const kept = await postgres(settings, ground);
  const moving = await redis(settings, ground).catch(async (error: unknown) => {
    await kept.close();
    throw error;
  });
  const close = async () => {
    await Promise.all([moving.close(), kept.close()]);
  };
  return {
    driver: 'mixed',
    capabilities: {
      sharedByProcesses: true,
      durable: moving.capabilities.durable && kept.capabilities.durable,
      powerSafe: moving.capabilities.powerSafe && kept.capabilities.powerSafe,
    },
    // Of the store that counts addresses.
    epoch: kept.epoch,
    agents: kept.agents,
    rules: kept.rules,
    traces: kept.traces,
    tasks: moving.tasks,
    ledger: moving.ledger,
    // Tasks are timed by it, and its line is the quicker one.
    ...(moving.shared === undefined ? {} : { shared: moving.shared }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
