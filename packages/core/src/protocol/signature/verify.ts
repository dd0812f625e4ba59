import { hash, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../../kernel/hmac.ts';
import { ReachError } from '../errors.ts';
import {
  coveredBy,
  Headers,
  normalAuthority,
  signatureBase,
  type SignedMessage,
  Unsignable,
} from './message.ts';
import { type Direction, PROFILE, SIGNATURE_HEADERS } from './profile.ts';
import { invalid, readDigest, readInput, readMac, type SignatureInput } from './read.ts';

/** A signature whose form is right; whether it is true, its key says. */
export interface Presented extends Pick<SignatureInput, 'clientId' | 'kid' | 'nonce'> {
  /** Epoch seconds. */
  created: number;
  base: string;
  mac: Buffer;
  digest: Buffer;
}

/** What the verifier knows besides the message. */
export interface VerifierFacts {
  nowMs: number;
  /** The names under which the verifier is reached; undefined: any name. */
  authorities: ReadonlySet<string> | undefined;
  /** Default: a request to a gateway. */
  direction?: Direction;
}

/** Whether a request says that it is signed. */
export function isSigned(headers: Readonly<Record<string, unknown>>): boolean {
  return (
    headers[SIGNATURE_HEADERS.input] !== undefined ||
    headers[SIGNATURE_HEADERS.signature] !== undefined
  );
}

/**
 * The first half of verifying: form, coverage and time, for which no key is needed. Throws
 * `signature-invalid`.
 */
export function present(message: SignedMessage, facts: VerifierFacts): Presented {
  try {
    return presentOrThrow(message, facts);
  } catch (error) {
    throw error instanceof Unsignable ? invalid(error.message) : error;
  }
}

function presentOrThrow(message: SignedMessage, facts: VerifierFacts): Presented {
  const headers = new Headers(message.rawHeaders);
  const input = readInput(headers.one(SIGNATURE_HEADERS.input) ?? '');
  const mac = readMac(headers.one(SIGNATURE_HEADERS.signature) ?? '');
  const digest = readDigest(headers.one(SIGNATURE_HEADERS.digest) ?? '');
  const covered = coveredBy(headers, message.body.length > 0, facts.direction ?? 'request');
  if (covered.join(' ') !== input.covered.join(' ')) {
    throw invalid(`The signature must cover ${covered.join(' ')}, in this order`);
  }
  if (!message.target.startsWith('/')) throw invalid('The target must be a path');
  demandAuthority(message.authority, facts);
  demandTime(input, facts.nowMs);
  const { clientId, kid, nonce, created } = input;
  return {
    clientId,
    kid,
    nonce,
    created,
    base: signatureBase(message, headers, input),
    mac,
    digest,
  };
}

/**
 * The second half: the MAC in constant time, then the digest of the raw body. Throws the same for a
 * wrong key, an unknown one and a body that was changed.
 */
export function demandTrue(
  presented: Presented,
  secret: Uint8Array | undefined,
  body: Uint8Array,
): void {
  // An unknown key costs what a known one does: who guesses at names learns nothing from the time.
  const right = Buffer.from(hmacSha256(secret ?? NO_SECRET, presented.base, 'hex'), 'hex');
  const isRight = right.length === presented.mac.length && timingSafeEqual(right, presented.mac);
  if (!isRight || secret === undefined) throw untrue();
  const digest = Buffer.from(hash('sha256', body, 'hex'), 'hex');
  if (!timingSafeEqual(digest, presented.digest)) throw untrue();
}

const NO_SECRET = new Uint8Array(32);

function untrue(): ReachError {
  return new ReachError('signature-invalid', 'The signature does not verify.');
}

function demandAuthority(authority: string, { authorities }: VerifierFacts): void {
  if (authorities === undefined || authorities.has(normalAuthority(authority))) return;
  throw invalid('The host is none of the names under which this is reached');
}

function demandTime({ created, expires }: SignatureInput, nowMs: number): void {
  const now = Math.floor(nowMs / 1_000);
  const { lifeMaxS, aheadMaxS, ageMaxS } = PROFILE;
  const life = expires - created;
  if (life <= 0 || life > lifeMaxS) throw invalid(`expires is 1 to ${lifeMaxS} s after created`);
  if (created > now + aheadMaxS) {
    throw invalid(`The signature was made ${created - now} s ahead of the verifier's clock`);
  }
  if (created < now - ageMaxS || expires < now) {
    throw invalid(`The signature is too old: it was made ${now - created} s ago`);
  }
}
