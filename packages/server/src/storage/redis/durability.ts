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
 * Refuses a server that would lose what it answered, unless that is wanted in words, and warns of the
 * second that the usual setting may lose. Answers whether what was answered survives a power cut.
 *
 * Throws `store-unavailable`, saying what to set.
 */
export function judge(facts: ServerFacts, allowVolatile: boolean, log: Log): boolean {
  const { version, evictionPolicy, isLogged, syncs } = facts;
  if (Number.parseInt(version, 10) < VERSION_MIN) {
    throw refusal(`Redis is ${version}; ${VERSION_MIN}.0 or newer is needed.`);
  }
  const faults: string[] = [];
  if (evictionPolicy !== 'noeviction') {
    faults.push(`it evicts keys when memory is full: set maxmemory-policy noeviction`);
  }
  if (!isLogged) {
    faults.push('it keeps no log on disk: set appendonly yes, and appendfsync everysec or always');
  } else if (syncs === 'no') {
    faults.push('it never syncs its log: set appendfsync everysec or always');
  }
  if (faults.length > 0) {
    const why = `This Redis may lose what it answered: ${faults.join('; ')}.`;
    if (!allowVolatile) throw refusal(`${why} Or allow it in words (allowVolatile).`);
    log.warn({ evictionPolicy, isLogged }, why);
    return false;
  }
  if (syncs === 'always') return true;
  log.warn(
    { appendfsync: syncs ?? 'unknown' },
    'A power cut may take the last second of what Redis answered; appendfsync always takes none.',
  );
  return false;
}

/** Scripts carry flags since then. */
const VERSION_MIN = 7;

function refusal(detail: string): ReachError {
  return new ReachError('store-unavailable', detail, { retryable: false });
}
