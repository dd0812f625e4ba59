import type { Now } from './now.ts';

/** A named document with its version: pins, weights, grants, secrets of the gateway itself. */
export interface RuleRow {
  tenant: string;
  name: string;
  /** Counts up from 1 with each change. */
  version: number;
  /** JSON. */
  doc: string;
  by: string;
  at: number;
}

export interface RulesStore {
  /** The present version; undefined: never written. */
  get(query: { tenant: string; name: string }): Promise<RuleRow | undefined>;

  /**
   * Writes the next version if `expectVersion` (0: none yet) is still the present one, else
   * answers `conflict` with what is. The last 100 versions are kept.
   */
  put(move: {
    tenant: string;
    name: string;
    doc: string;
    by: string;
    expectVersion: number;
    now: Now;
  }): Promise<{ outcome: 'stored' | 'conflict'; row: RuleRow }>;

  /** The present version of every document of a tenant, by name. */
  list(query: { tenant: string }): Promise<RuleRow[]>;

  /** Versions of one document, newest first, at most `limit` (1 to 100). */
  history(query: { tenant: string; name: string; limit: number }): Promise<RuleRow[]>;
}
