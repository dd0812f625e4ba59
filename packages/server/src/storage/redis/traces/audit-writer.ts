import { type AuditRecord, ReachError } from '@agent-reach/core';
import { AUDIT_GENESIS, type AuditHead, auditLinks } from '@agent-reach/core/audit-chain';
import { type Argument, list, PIECE } from '../arguments.ts';
import type { Engine } from '../engine.ts';
import { items, json } from '../rows.ts';
import { wordsOf } from './audit-log.ts';

/**
 * Appends to chains. A server that runs Lua does not know SHA-256, so records are linked here, to where
 * the chain stood last, and kept only if it still stands there. Who was overtaken is told where it
 * stands now and links anew. Of each chain one batch is on its way at a time; what comes meanwhile is
 * the next one, so a lone gateway makes one round trip a batch.
 */
export class AuditWriter {
  readonly #engine: Engine;
  readonly #chains = new Map<string, Chain>();
  #waiting = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Resolves once the lines are kept. */
  async append(records: readonly AuditRecord[]): Promise<void> {
    if (this.#waiting >= WAITING_MAX) throw fellBehind();
    this.#waiting += records.length;
    try {
      const tenants = [...Map.groupBy(records, (line) => line.tenant)];
      await Promise.all(tenants.map(([tenant, lines]) => this.#join(tenant, lines)));
    } finally {
      this.#waiting -= records.length;
    }
  }

  async #join(tenant: string, lines: AuditRecord[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const chain = this.#chainOf(tenant);
    // One of many lines leaves with its last one: pieces of it go in order.
    for (const [n, line] of lines.entries()) {
      chain.waiting.push({ line, resolve: n === lines.length - 1 ? resolve : undefined, reject });
    }
    chain.sending ??= this.#send(tenant, chain);
    await promise;
  }

  #chainOf(tenant: string): Chain {
    const known = this.#chains.get(tenant);
    if (known !== undefined) return known;
    const chain: Chain = { head: undefined, waiting: [], sending: undefined };
    this.#chains.set(tenant, chain);
    return chain;
  }

  async #send(tenant: string, chain: Chain): Promise<void> {
    while (chain.waiting.length > 0) {
      const batch = chain.waiting.splice(0, PIECE);
      try {
        const lines = batch.map(({ line }) => ({ line }));
        chain.head = await append(this.#engine, lines, chain.head ?? AUDIT_GENESIS);
        for (const { resolve } of batch) resolve?.();
      } catch (error) {
        // It may have happened: where the chain stands will be told.
        chain.head = undefined;
        const failed = new Set(batch.map(({ reject }) => reject));
        for (const reject of failed) reject(error);
        // Whoever was told will come again with all of it: the rest does not go without him.
        chain.waiting = chain.waiting.filter(({ reject }) => !failed.has(reject));
      }
    }
    chain.sending = undefined;
    if (this.#chains.size > CHAINS_MAX) this.#chains.delete(tenant);
  }
}

/** A line to append, and its number in the log that was kept before there were chains. */
interface Entry {
  line: AuditRecord;
  old?: number;
}

/** Appends lines of one tenant behind `head` or wherever their chain stands; answers where it stands then. */
async function append(
  engine: Engine,
  entries: readonly Entry[],
  head: AuditHead,
): Promise<AuditHead> {
  let is = head;
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { last, told } = await tryAt(engine, entries, is);
    if (told === undefined) return last;
    // The answer to the same words was lost: it had happened.
    if (told.hash === last.hash) return last;
    is = told;
  }
  throw new ReachError('store-unavailable', `The audit was overtaken ${TRIES_MAX} times in a row.`);
}

async function tryAt(engine: Engine, entries: readonly Entry[], head: AuditHead) {
  const links = auditLinks(
    head,
    entries.map(({ line }) => line),
  );
  const words = entries.flatMap(({ line, old }, n): Argument[] => {
    const { record, prev, hash } = links[n] ?? { record: '', prev: '', hash: '' };
    return [old ?? '-', line.at, record, prev, hash, ...list(wordsOf(line))];
  });
  const tenant = entries[0]?.line.tenant ?? '';
  const move = [tenant, head.seq, head.hash, entries.length, ...words];
  const reply = await engine.run('traces/audit-append', move);
  const [outcome, seq, hash] = items(reply).map(String);
  const last = links.at(-1) ?? head;
  if (outcome === 'stored') return { last };
  return { last, told: { seq: Number(seq), hash: hash || AUDIT_GENESIS.hash } };
}

/**
 * Puts what was kept before there were chains into them, in the order it was kept, some at a time:
 * several gateways may do so at once, and one that dies has lost and doubled nothing.
 */
export async function chainOldLines(engine: Engine): Promise<void> {
  for (;;) {
    const [, entries] = items(await engine.run('traces/first', ['audit', PIECE]));
    const old = items(entries).map((entry): Required<Entry> => {
      const [id = '', text] = items(entry).map(String);
      return { old: Number.parseInt(id, 10), line: json(text) as AuditRecord };
    });
    if (old.length === 0) return;
    for (const [tenant, lines] of Map.groupBy(old, ({ line }) => line.tenant)) {
      const chain = items(await engine.run('traces/audit-chain', [tenant])).map(String);
      const [seq = '0', hash = AUDIT_GENESIS.hash] = chain;
      // Overtaken: whoever did so may have taken these very lines.
      await tryAt(engine, lines, { seq: Number(seq), hash });
    }
  }
}

interface Chain {
  /** Where it stood last; undefined: not known. */
  head: AuditHead | undefined;
  waiting: Waiting[];
  sending: Promise<void> | undefined;
}

interface Waiting {
  line: AuditRecord;
  resolve: (() => void) | undefined;
  reject: (error: unknown) => void;
}

/** Somebody gets through each time: of ten gateways one is overtaken so often once in 10¹¹ batches. */
const TRIES_MAX = 256;

/** Chains whose place is remembered, 200 bytes each. Of another one it is asked. */
const CHAINS_MAX = 1_000;

/** Ten seconds of a store that stands still, at a thousand calls a second: some 20 MB. */
const WAITING_MAX = 10_000;

function fellBehind(): ReachError {
  const detail = `The audit is ${WAITING_MAX} lines behind and takes no more.`;
  return new ReachError('store-unavailable', detail, { limit: WAITING_MAX });
}
