import type { GrantRow, GrantsPolicy } from '@agent-reach/core';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';

/** The facts of an offer on which a grant depends. */
export interface Wanted {
  capability: string;
}

/** Whether somebody may have what is offered. Pure: asked for each candidate of each decision. */
export type Permits = (facts: Wanted) => boolean;

/** Where nobody is asked who he is, nobody can be denied anything. */
export const permitsAll: Permits = () => true;

/** How many clients' verdicts are kept; beyond this they are worked out anew. */
const CACHED_MAX = 10_000;

/**
 * Who may have which capabilities, as decisions look at it: a copy of the stored documents, one a
 * tenant. A row that denies goes before all that allow, and what no row allows is denied.
 */
export class GrantBook extends TenantDocs<GrantsPolicy> {
  /** By tenant and client: verdicts that were asked for already. */
  readonly #cached = new Map<string, Permits>();

  /** What a client may have, as the document stands now. Ask anew for each decision. */
  permitsFor(tenant: string, clientId: string): Permits {
    // A tenant's name has no line break.
    const name = `${tenant}\n${clientId}`;
    let permits = this.#cached.get(name);
    if (permits === undefined) {
      permits = remembered(permitsIn(this.known(tenant)?.rows ?? [], clientId));
      if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
      this.#cached.set(name, permits);
    }
    return permits;
  }

  /** Which row of the document decides. */
  rulingOn(tenant: string, clientId: string, capability: string): Ruling {
    return rulingIn(this.known(tenant)?.rows ?? [], clientId, capability);
  }

  protected override read(doc: GrantsPolicy): GrantsPolicy {
    return doc;
  }

  protected override taken(): void {
    this.#cached.clear();
  }
}

/** What the rows say of one capability, and which of them decides; undefined: no row speaks of it. */
export interface Ruling {
  isAllowed: boolean;
  /** From 1, as people count. */
  row: number | undefined;
  /** The pattern that fits. */
  pattern: string | undefined;
}

/** Why a client may or may not have a capability; always of one mind with `permitsIn`. */
export function rulingIn(rows: readonly GrantRow[], clientId: string, capability: string): Ruling {
  for (const kind of ['not', 'may'] as const) {
    for (const [n, row] of rows.entries()) {
      if (!matches(row.who, clientId)) continue;
      const pattern = row[kind]?.find((one) => matches(one, capability));
      if (pattern !== undefined) return { isAllowed: kind === 'may', row: n + 1, pattern };
    }
  }
  return { isAllowed: false, row: undefined, pattern: undefined };
}

/** What a client may have by these rows. */
export function permitsIn(rows: readonly GrantRow[], clientId: string): Permits {
  const own = rows.filter(({ who }) => matches(who, clientId));
  const may = own.flatMap((row) => row.may ?? []);
  const not = own.flatMap((row) => row.not ?? []);
  return ({ capability }) =>
    may.some((pattern) => matches(pattern, capability)) &&
    !not.some((pattern) => matches(pattern, capability));
}

/** Whether a name is the pattern, or begins as one that ends in `*`. */
export function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function remembered(permits: Permits): Permits {
  const verdicts = new Map<string, boolean>();
  return (facts) => {
    let verdict = verdicts.get(facts.capability);
    if (verdict === undefined) {
      verdict = permits(facts);
      // Callers name what they like: a name that nobody offers is not worth keeping for long.
      if (verdicts.size >= CACHED_MAX) verdicts.clear();
      verdicts.set(facts.capability, verdict);
    }
    return verdict;
  };
}
