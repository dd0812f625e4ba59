import type { Now } from './now.ts';

/**
 * Where a confirmation stands. `pending` and `approved` end by themselves at `expiresAt`, and read as
 * they were: whoever looks compares.
 *
 *     pending ──approve──▶ approved ──consume──▶ used
 *        │ └──consume, if it has a code──────────▲
 *        ├──refuse (approved too)──▶ refused
 *        └──wrong tries (approved too)──▶ dead
 */
export type ConfirmationState = 'pending' | 'approved' | 'refused' | 'used' | 'dead';

/** One request to do something sensitive, once, exactly as it was shown. */
export interface Confirmation {
  tenant: string;
  id: string;
  /** Who asked; nobody else may use it. */
  principal: string;
  /** Of everything that is confirmed. */
  digest: string;
  /** Of the code that must be presented; absent: somebody has to approve it instead. */
  codeHash?: string;
  /** What is shown of it, and who may decide: JSON of the caller's making. */
  about: string;
  state: ConfirmationState;
  /** Wrong tries so far. */
  tries: number;
  /** Who decided and why: JSON of the caller's making; absent until somebody did. */
  decision?: string;
  createdAt: number;
  expiresAt: number;
}

/** Names one confirmation. */
export interface ConfirmationName {
  tenant: string;
  id: string;
}

/** Why a confirmation was not used up; `wrong` counts as a try. */
export type ConsumeRefusal =
  | 'unknown'
  | 'pending'
  | 'wrong'
  | 'expired'
  | 'refused'
  | 'used'
  | 'dead';

/** Confirmations: a part of the ledger. */
export interface ConfirmationMoves {
  /**
   * Opens one, unless its principal has `pendingMax` open already: then nothing is stored and the
   * answer is `full`. The row is kept for `keepMs` after it expires, so that late comers learn what
   * became of it. The id is made by the caller and must be new.
   */
  openConfirmation(
    move: ConfirmationName & {
      principal: string;
      digest: string;
      codeHash?: string;
      about: string;
      ttlMs: number;
      keepMs: number;
      pendingMax: number;
      now: Now;
    },
  ): Promise<'opened' | 'full'>;

  /** One confirmation and how many milliseconds it has left, 0 from `expiresAt` on. */
  findConfirmation(
    query: ConfirmationName & { now: Now },
  ): Promise<{ row: Confirmation; leftMs: number } | undefined>;

  /**
   * Approves what is pending and needs approval, or refuses what is pending or approved. `late`: it has ended, was
   * decided, or has a code that decides; nothing changed.
   */
  decideConfirmation(
    move: ConfirmationName & { verdict: 'approved' | 'refused'; decision: string; now: Now },
  ): Promise<'decided' | 'late' | 'unknown'>;

  /**
   * Uses it up, once. What another principal asks for is `unknown` and changes nothing; another
   * digest or code is `wrong`, and the last of `triesMax` of those ends it.
   */
  consumeConfirmation(
    move: ConfirmationName & {
      principal: string;
      digest: string;
      codeHash?: string;
      triesMax: number;
      now: Now;
    },
  ): Promise<'consumed' | ConsumeRefusal>;

  /** Those of a tenant that are open (pending or approved, not expired), the oldest first. */
  listConfirmations(query: {
    tenant: string;
    principal?: string;
    limit: number;
    now: Now;
  }): Promise<Confirmation[]>;

  /** Forgets those whose time to be kept is over, at most `limit`; answers how many. */
  pruneConfirmations(move: { limit: number; now: Now }): Promise<number>;
}
