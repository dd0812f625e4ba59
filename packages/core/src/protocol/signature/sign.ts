import { hash } from 'node:crypto';
import { hmacSha256 } from '../../kernel/hmac.ts';
import { coveredBy, Headers, innerList, signatureBase, type SignedMessage } from './message.ts';
import { type Direction, PROFILE, SIGNATURE_HEADERS } from './profile.ts';

/** A key as its holder has it. */
export interface SigningKey {
  clientId: string;
  kid: string;
  secret: Uint8Array;
}

/**
 * The three headers that sign a message. A signature is good for one sending: whoever repeats a
 * message signs it again, with another nonce.
 */
export function sign(
  message: SignedMessage,
  key: SigningKey,
  { nowMs, nonce, direction = 'request' }: { nowMs: number; nonce: string; direction?: Direction },
): Record<string, string> {
  const digest = `sha-256=:${hash('sha256', message.body, 'base64')}:`;
  const headers = new Headers([...message.rawHeaders, SIGNATURE_HEADERS.digest, digest]);
  const covered = coveredBy(headers, message.body.length > 0, direction);
  const created = Math.floor(nowMs / 1_000);
  const params = [
    innerList(covered),
    `created=${created}`,
    `expires=${created + PROFILE.lifeMaxS}`,
    `nonce="${nonce}"`,
    `keyid="${key.clientId}:${key.kid}"`,
    `tag="${PROFILE.tag}"`,
  ].join(';');
  const base = signatureBase(message, headers, { covered, params });
  const mac = hmacSha256(key.secret, base, 'base64');
  return {
    [SIGNATURE_HEADERS.digest]: digest,
    [SIGNATURE_HEADERS.input]: `${PROFILE.label}=${params}`,
    [SIGNATURE_HEADERS.signature]: `${PROFILE.label}=:${mac}:`,
  };
}
