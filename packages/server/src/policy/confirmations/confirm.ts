import { type NeedsConfirmation, ReachError } from '@agent-reach/core';
import type { Confirmation } from '../../storage/spi/confirmations.ts';
import type { PolicyPorts } from '../ports.ts';
import { type About, readAbout } from './about.ts';
import type { Demand } from './book.ts';
import { hashCode, newCode, type PresentedCode, readCode } from './codes.ts';
import { type Mask, previewOf, type SubjectBytes } from './subject.ts';

/** More open at once is a loop and no work that people look at. */
const PENDING_MAX = 100;
/** A person mistypes; a program guesses. */
const TRIES_MAX = 5;
/** How long it can be said what became of one that has ended. */
const KEEP_MS = 86_400_000;
/** What is confirmed is shown whole, or it could be hidden behind its own length. */
const PREVIEW_BYTES_MAX = 65_536;

/** Who asks for a confirmation or presents one. */
export interface Asking {
  tenant: string;
  principal: string;
  /** Who began the chain of calls. */
  root: string;
}

/** A code that came with a request, and the row that it names. */
export interface Presented extends PresentedCode {
  row: Confirmation;
  about: About;
  leftMs: number;
}

/**
 * What a request presents. Changes nothing. Throws `confirmation-invalid` where there is no such
 * confirmation of the one who asks.
 */
export async function presentedIn(
  text: string,
  { tenant, principal }: Pick<Asking, 'tenant' | 'principal'>,
  { ledger, now }: Pick<PolicyPorts, 'ledger' | 'now'>,
): Promise<Presented> {
  const said = readCode(text);
  if (said === undefined) throw invalid('unknown', undefined);
  const found = await ledger.findConfirmation({ tenant, id: said.id, now: now() });
  if (found?.row.principal !== principal) throw invalid('unknown', said.id);
  return { ...said, ...found, about: readAbout(found.row) };
}

/** What the target itself says of what it was asked to prepare. */
export interface Prepared {
  code: string;
  says: string | undefined;
  expiresInMs: number | undefined;
  /** It tells the code to somebody itself: whoever asked is not told it here. */
  isToldElsewhere: boolean;
}

/** Where an id comes from and what the target prepared under it. */
export interface Opening {
  id: string;
  prepared: Prepared | undefined;
}

/** Asks for somebody's word: what whoever asked is answered. Throws `rate-limited`, `payload-too-large`. */
export async function openConfirmation(
  { id, prepared }: Opening,
  about: { asking: Asking; bytes: SubjectBytes; demand: Demand; mask: Mask },
  ports: PolicyPorts,
): Promise<NeedsConfirmation> {
  const { asking, bytes, demand, mask } = about;
  const { by, approvers } = demand;
  const { says } = prepared ?? {};
  const preview = { ...previewOf(bytes, mask), ...(says === undefined ? {} : { says }) };
  demandShowable(preview);
  const code = by === 'human' ? undefined : (prepared?.code ?? newCode(ports.random));
  const ttlMs = Math.min(demand.ttlMs, prepared?.expiresInMs ?? demand.ttlMs);
  const { tenant, principal, root } = asking;
  const kept: About = { by, preview, root, ...(approvers === undefined ? {} : { approvers }) };
  const outcome = await ports.ledger.openConfirmation({
    tenant,
    id,
    principal,
    digest: bytes.digest,
    ...(code === undefined ? {} : { codeHash: hashCode({ id, code }, ports.tokenKey) }),
    about: JSON.stringify(kept),
    ttlMs,
    keepMs: KEEP_MS,
    pendingMax: PENDING_MAX,
    now: ports.now(),
  });
  if (outcome === 'full') {
    throw new ReachError(
      'rate-limited',
      `${principal} has ${PENDING_MAX} confirmations open, the most that may be.`,
      { limit: PENDING_MAX, retry_after_ms: ttlMs },
    );
  }
  const isTold = code !== undefined && prepared?.isToldElsewhere !== true;
  return { id, by, expires_in_ms: ttlMs, preview, ...(isTold ? { code: `${id}.${code}` } : {}) };
}

function demandShowable(preview: NeedsConfirmation['preview']): void {
  const size = Buffer.byteLength(JSON.stringify(preview));
  if (size <= PREVIEW_BYTES_MAX) return;
  throw new ReachError(
    'payload-too-large',
    `What is confirmed is shown whole: it has ${size} bytes, over ${PREVIEW_BYTES_MAX}.`,
    { size, limit: PREVIEW_BYTES_MAX },
  );
}

/**
 * What whoever presents one that nobody has decided yet waits for; undefined: it may be used, or is none
 * for this. Changes nothing, so that nothing need be reserved to learn it.
 */
export function waitsFor(
  { id, code, row, about, leftMs }: Presented,
  digest: string,
): NeedsConfirmation | undefined {
  const isUndecided = row.state === 'pending' && row.codeHash === undefined && leftMs > 0;
  if (!isUndecided || code !== undefined || row.digest !== digest) return undefined;
  return { id, by: about.by, expires_in_ms: Math.floor(leftMs), preview: about.preview };
}

/**
 * Uses up what was presented. Answers what to wait for where nobody has decided yet; throws
 * `confirmation-invalid` where it does not cover this, or no more.
 */
export async function useConfirmation(
  presented: Presented,
  digest: string,
  ports: PolicyPorts,
): Promise<NeedsConfirmation | undefined> {
  const { id, code, row, about, leftMs } = presented;
  const outcome = await ports.ledger.consumeConfirmation({
    tenant: row.tenant,
    id,
    principal: row.principal,
    digest,
    ...(code === undefined ? {} : { codeHash: hashCode({ id, code }, ports.tokenKey) }),
    triesMax: TRIES_MAX,
    now: ports.now(),
  });
  if (outcome === 'consumed') return undefined;
  if (outcome === 'pending') {
    return { id, by: about.by, expires_in_ms: Math.floor(leftMs), preview: about.preview };
  }
  throw invalid(outcome, id);
}

const WHY = {
  unknown: 'there is none of this name for whoever asks; ask without a code, and you are told one',
  wrong: 'it is for another request, or its code is another one',
  expired: 'its time is over: ask again without it',
  refused: 'it was refused',
  used: 'it was used before',
  dead: `it was tried wrongly ${TRIES_MAX} times: ask again without it`,
} as const;

function invalid(why: keyof typeof WHY, id: string | undefined): ReachError {
  const name = id === undefined ? 'The confirmation' : `Confirmation ${id}`;
  return new ReachError('confirmation-invalid', `${name} does not count: ${WHY[why]}.`, {
    executed: 'no',
    reason: why,
    ...(id === undefined ? {} : { confirmation: id }),
  });
}
