import { createHash } from 'node:crypto';
import { type Answer, canonicalize, type Effect, ReachError } from '@agent-reach/core';
import type { KeyName, KeyRecord, KeyVerdict, LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';

/** What makes a request the request it is. */
export interface RequestIdentity {
  tenant: string;
  principal: string;
  key: string;
  selector: Record<string, unknown>;
  params: unknown;
  onBehalfOf: string | undefined;
}

/** A key that some request may claim: its name and what it must match. */
export interface IdempotencyKey extends KeyName {
  fingerprint: string;
}

/** The outcome kept under a key: the answer, or the final refusal. */
export type KeptOutcome =
  | { ok: true; answer: Answer }
  | { ok: false; code: ReachError['code']; detail: string; facts: ReachError['facts'] };

/** What a key that was bound once is bound to for ever. */
export interface Pinned {
  capability: string;
  effect?: Effect;
  requestId: string;
  /** What was asked for, where the capability is its fallback. */
  asked?: string;
}

/**
 * Names a key and hashes what must repeat under it: method, selector, canonical parameters, and
 * for whom. Trace, deadline and request id are left out: they differ between honest repeats.
 */
export function identify(request: RequestIdentity): IdempotencyKey {
  const text = [
    'reach.idem.v1',
    'POST',
    canonicalize(request.selector),
    canonicalize(request.params ?? {}),
    request.onBehalfOf ?? '',
  ].join('\n');
  return {
    scope: `${request.tenant}/${request.principal}`,
    key: request.key,
    fingerprint: createHash('sha256').update(text).digest('base64url'),
  };
}

/**
 * What is known of a key before anything is done: the kept outcome, or nothing. Throws
 * `idempotency-key-reused` for another request, `idempotency-in-progress` while the first runs.
 * A record whose worker vanished comes back as it is: the caller knows the effect.
 */
export function judgeRecord(
  record: KeyRecord,
  key: IdempotencyKey,
): KeptOutcome | Extract<KeyRecord, { state: 'unknown' }> {
  if (record.fingerprint !== key.fingerprint) {
    throw new ReachError(
      'idempotency-key-reused',
      `Key ${key.key} was used with another request. Use a new key for a new request.`,
    );
  }
  switch (record.state) {
    case 'done':
      return JSON.parse(record.answer) as KeptOutcome;
    case 'claimed':
      throw new ReachError(
        'idempotency-in-progress',
        `The first request with key ${key.key} still runs.`,
        { retry_after_ms: 1_000 },
      );
    case 'unknown':
      return record;
  }
}

/** A claim on a key, to be settled by its holder. */
export interface Claim {
  key: IdempotencyKey;
  token: string;
}

/** What claiming needs. */
export interface ClaimPorts {
  ledger: LedgerStore;
  now: () => Now;
  token: () => string;
  options: { keyRetentionMs: number; keyClaimMinMs: number; answerBytesMax: number };
}

/** A worker that is late to settle still holds its key. */
const CLAIM_GRACE_MS = 10_000;

/**
 * Claims a key for work that lasts up to `workMs`, or gives the outcome that is already kept.
 * A record left `unknown` is taken over only where running again is safe; a plain write that may
 * have run is not run again: `outcome-unknown`.
 */
export async function claimKey(
  key: IdempotencyKey,
  pinned: Pinned,
  workMs: number,
  ports: ClaimPorts,
): Promise<{ claim: Claim } | { kept: KeptOutcome }> {
  const token = ports.token();
  const move = {
    ...key,
    pinned: JSON.stringify(pinned),
    token,
    // Whole milliseconds: what is left of a deadline rarely is, and no store column takes less.
    claimMs: Math.max(ports.options.keyClaimMinMs, Math.ceil(workMs) + CLAIM_GRACE_MS),
    ttlMs: ports.options.keyRetentionMs,
    now: ports.now(),
  };
  let answer = await ports.ledger.claim(move);
  if (answer.outcome === 'held') {
    const found = judgeRecord(answer.record, key);
    if (!('state' in found)) return { kept: found };
    demandRepeatable(JSON.parse(found.pinned) as Pinned, pinned, key.key);
    answer = await ports.ledger.claim({ ...move, over: found.token });
  }
  if (answer.outcome === 'claimed') return { claim: { key, token } };
  const found = judgeRecord(answer.record, key);
  if (!('state' in found)) return { kept: found };
  throw unknownOutcome(key.key); // Taken over by another, and lost again: leave it to people.
}

/** Ends a claim with what became of the work. False: somebody else holds the key by now. */
export function settleKey(
  claim: Claim,
  outcome: KeptOutcome | 'unknown' | 'free',
  ports: ClaimPorts,
) {
  return ports.ledger.settle({
    scope: claim.key.scope,
    key: claim.key.key,
    token: claim.token,
    verdict: verdictOf(outcome, ports.options.answerBytesMax),
    ttlMs: ports.options.keyRetentionMs,
    now: ports.now(),
  });
}

function verdictOf(outcome: KeptOutcome | 'unknown' | 'free', bytesMax: number): KeyVerdict {
  if (outcome === 'unknown' || outcome === 'free') return { state: outcome };
  const answer = JSON.stringify(outcome);
  // An answer that is too large to keep still happened: a repeat must not run it again.
  return Buffer.byteLength(answer) > bytesMax ? { state: 'unknown' } : { state: 'done', answer };
}

/**
 * Throws `outcome-unknown` unless running the work again does no harm: what may have run was
 * repeatable, what would run now is, and it is the same capability. A route by tags may lead
 * elsewhere by now, and one key has one effect.
 */
function demandRepeatable(first: Pinned, now: Pinned, key: string): void {
  const same = first.capability === now.capability;
  if (!same || !isRepeatable(first.effect) || !isRepeatable(now.effect)) throw unknownOutcome(key);
}

function isRepeatable(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent_write';
}

function unknownOutcome(key: string): ReachError {
  return new ReachError(
    'outcome-unknown',
    `The first request with key ${key} may have run; nobody knows. Look at the target before you use a new key.`,
  );
}
