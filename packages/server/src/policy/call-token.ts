import { timingSafeEqual } from 'node:crypto';
import { ReachError } from '@agent-reach/core';
import { hmacSha256 } from '@agent-reach/core/kernel';

/**
 * What a call token says: where in a chain of calls its bearer stands. The gateway gives one with
 * each call it sends; a nested call presents it. Depth and ancestry are read from here and never
 * from a header that a client could write.
 */
export interface CallChain {
  tenant: string;
  traceId: string;
  /** The span of the call for which the token was given: the parent of nested ones. */
  spanId: string;
  /** Who began the chain. */
  root: string;
  /** `agent/capability` of each call so far, the first one first. */
  path: string[];
}

interface Payload extends CallChain {
  /** Epoch milliseconds after which the token is void. */
  exp: number;
}

/** 132 bits. */
const MAC_CHARS = 22;
/**
 * The longest path that `call.depth.max` allows, 32 steps of 257 characters, in base64: 11 KiB,
 * and room. Node refuses more than 16 KiB of headers, so it must not be more.
 */
const TOKEN_CHARS_MAX = 12_288;

/**
 * `base64url(payload).base64url(mac)`: HMAC-SHA-256 cut to 132 bits (RFC 2104 §5 allows half the
 * hash; the token lives seconds).
 */
export function signCallToken(chain: CallChain, expiresAt: number, key: Uint8Array): string {
  const payload: Payload = { ...chain, exp: expiresAt };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${mac(text, key)}`;
}

/** The chain of a presented token. Throws `signature-invalid` for any other text. */
export function readCallToken(token: string, now: number, key: Uint8Array): CallChain {
  const dot = token.indexOf('.');
  if (dot < 0 || token.length > TOKEN_CHARS_MAX) throw invalid('is not one of ours');
  const text = token.slice(0, dot);
  // Compared as text: base64 has several spellings of one value, and a token has only one.
  const given = Buffer.from(token.slice(dot + 1));
  const right = Buffer.from(mac(text, key));
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw invalid('does not verify');
  }
  // What we signed is what we wrote: the shape needs no second check.
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Payload;
  if (payload.exp < now) throw invalid('has expired');
  return payload;
}

function mac(text: string, key: Uint8Array): string {
  return hmacSha256(key, text, 'base64url').slice(0, MAC_CHARS);
}

function invalid(why: string): ReachError {
  return new ReachError('signature-invalid', `The call token ${why}.`);
}
