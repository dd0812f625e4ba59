import { randomBytes } from 'node:crypto';
import { readSecret, sign } from '@agent-reach/core';

/** A client's signing key, as it was shown when it was made. */
export interface Signer {
  clientId: string;
  kid: string;
  secret: string;
}

/** Of a job, what is signed in each of its calls. */
interface ToSign {
  signer?: Signer;
  origin: string;
  path: string;
  body: string;
}

const NONCE_BYTES = 16;

/**
 * Signs a job's calls by the function that the SDK signs with; what is sent differs from an unsigned
 * call in nothing but the signature. Calls of nobody's go as they are.
 */
export function signerOf({
  signer,
  origin,
  path,
  body,
}: ToSign): (headers: Record<string, string>) => Record<string, string> {
  if (signer === undefined) return (headers) => headers;
  const { clientId, kid } = signer;
  const secret = readSecret(signer.secret);
  if (secret === undefined) throw new Error(`${clientId} has no signing secret.`);
  const fixed = {
    method: 'POST',
    target: path,
    authority: new URL(origin).host,
    body: Buffer.from(body),
  };
  return (headers) => {
    const message = { ...fixed, rawHeaders: Object.entries(headers).flat() };
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const proof = sign(message, { clientId, kid, secret }, { nowMs: Date.now(), nonce });
    return { ...headers, ...proof };
  };
}
