import { ReachError } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';

/** What a server says of itself that bears on what an answer of it is worth. */
export interface ServerFacts {
  version: string;
  /** What it does when memory is full; only `noeviction` throws nothing away. */
  evictionPolicy: string;
  /** Whether it logs what it changes to disk. */
  isLogged: boolean;
  /** When the log is synced; undefined: it may not be asked. */
  syncs: 'always' | 'everysec' | 'no' | undefined;
}

/** Reads the facts from the answers to INFO and, where it is allowed, CONFIG GET appendfsync. */
export function factsOf(info: string, appendfsync: string | undefined): ServerFacts {
  const said = new Map(
    info.split(/\r?\n/).map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
  return {
    version: said.get('redis_version') ?? '0',
    evictionPolicy: said.get('maxmemory_policy') ?? 'unknown',
    isLogged: said.get('aof_enabled') === '1',
    syncs: appendfsync as ServerFacts['syncs'],
  };
}

/**
 * Refuses a server that throws away what it accepted while everything works, unless that is wanted in
 * words. Warns of one that loses it with its process, or with the power: that is how its owner set it
 * up. Answers whether what was answered survives a power cut.
 *
 * Throws `store-unavailable`, saying what to set.
 */
export function judge(facts: ServerFacts, allowEviction: boolean, log: Log): boolean {
  const { version, evictionPolicy, isLogged, syncs } = facts;
  if (Number.parseInt(version, 10) < VERSION_MIN) {
    throw refusal(`Redis is ${version}; ${VERSION_MIN}.0 or newer is needed.`);
  }
  if (evictionPolicy !== 'noeviction') {
    const why = `This Redis evicts keys when its memory is full (${evictionPolicy}), and with them tasks that were accepted: set maxmemory-policy noeviction`;
    if (!allowEviction) throw refusal(`${why}, or say redis.allow-eviction=true.`);
    log.warn({ evictionPolicy }, `${why}.`);
  }
  const loss = lossOf(facts);
  if (loss === undefined) return evictionPolicy === 'noeviction';
  log.warn({ appendonly: isLogged, appendfsync: syncs ?? 'unknown' }, loss);
  return false;
}

/** What is lost of what was answered, and when; undefined: nothing. */
function lossOf({ isLogged, syncs }: ServerFacts): string | undefined {
  if (!isLogged) {
    return 'This Redis keeps no log on disk: when it stops, what it answered since its last snapshot is lost. Set appendonly yes, and appendfsync everysec or always.';
  }
  if (syncs === 'always') return undefined;
  if (syncs === 'no') {
    return 'This Redis never syncs its log: a power cut may take the last half minute. Set appendfsync everysec or always.';
  }
  return 'A power cut may take the last second of what Redis answered; appendfsync always takes none.';
}

/** Scripts carry flags since then. */
const VERSION_MIN = 7;

function refusal(detail: string): ReachError {
  return new ReachError('store-unavailable', detail, { retryable: false });
}
