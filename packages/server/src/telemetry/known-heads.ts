import type { AuditHead } from '@agent-reach/core';
import type { AuditChain, TracesStore } from '../storage/spi/traces.ts';

/** Chains of more tenants are not remembered: as many as could be looked at in one round. */
const CHAINS_MAX = 10_000;

/**
 * Where this gateway saw each chain stand. Whoever can write to the store can cut off what is not sealed
 * yet and set the head back; he cannot make a gateway forget that runs. Once a chain was cut, what was seen
 * before is remembered until the gateway ends, however it grows again.
 */
export class KnownHeads {
  readonly #heads = new Map<string, AuditHead>();

  /** The last record of a chain that was seen; undefined: none was. */
  of(tenant: string): AuditHead | undefined {
    return this.#heads.get(tenant);
  }

  /** Chains that were seen. */
  tenants(): IterableIterator<string> {
    return this.#heads.keys();
  }

  /** Looks at a chain as it stands now, and remembers it if it is what it was, or longer. */
  async look(chain: AuditChain, store: Pick<TracesStore, 'auditLinks'>): Promise<Cut | undefined> {
    const { tenant, seq, hash } = chain;
    const known = this.#heads.get(tenant);
    const cut = known && (await cutOf(chain, known, store));
    if (cut !== undefined) return cut;
    if (known !== undefined || this.#heads.size < CHAINS_MAX)
      this.#heads.set(tenant, { seq, hash });
    return undefined;
  }
}

/** That a chain is not what it was: from where, and how that shows. */
export interface Cut {
  kind: 'truncated' | 'changed';
  seq: number;
  detail: string;
}

async function cutOf(
  chain: AuditChain,
  known: AuditHead,
  store: Pick<TracesStore, 'auditLinks'>,
): Promise<Cut | undefined> {
  const { tenant, seq } = chain;
  if (seq < known.seq) return shorter(known, seq);
  if (seq === known.seq) return chain.hash === known.hash ? undefined : another(known);
  const [link] = await store.auditLinks({ tenant, after: known.seq - 1, limit: 1 });
  // What is gone by its age was sealed before.
  if (link?.seq !== known.seq) return undefined;
  return link.hash === known.hash ? undefined : another(known);
}

/** The fault of a chain that ends before what was seen of it. */
export function shorter(known: AuditHead, seq: number): Cut {
  const detail = `the records up to ${known.seq}, which this gateway saw, are not there`;
  return { kind: 'truncated', seq: seq + 1, detail };
}

/** The fault of a chain that was cut and has grown again. */
export function another({ seq }: AuditHead): Cut {
  return { kind: 'changed', seq, detail: 'this gateway saw another record in its place' };
}
