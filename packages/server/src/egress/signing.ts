import { sign, type SigningKey, type SignedMessage } from '@agent-reach/core';
import type { Clock, FetchRequest, Random } from '@agent-reach/core/kernel';
import type { Attempt } from './link.ts';

/** Whom a push is for. */
export type PushTo = Pick<Attempt, 'tenant' | 'agentId' | 'instanceId'>;

/** By which keys pushes are signed. */
export interface PushKeys {
  /**
   * Keys that the instance may hold, the likeliest first; none: it is sent unsigned. Throws
   * `egress-blocked` where nothing may go unsigned.
   */
  of(to: PushTo): readonly SigningKey[] | Promise<readonly SigningKey[]>;
  /** The instance took what this key had signed. */
  took(to: PushTo, key: SigningKey): void;
}

/** What signing works with. */
export interface Signing {
  keys: PushKeys;
  clock: Clock;
  random: Random;
}

const NONCE_BYTES = 16;

/** The request with its signature: each sending has one of its own. */
export function signedPush(
  request: FetchRequest,
  key: SigningKey,
  { clock, random }: Signing,
): FetchRequest {
  const { host, pathname, search } = new URL(request.url);
  const { body = '' } = request;
  const message: SignedMessage = {
    method: request.method,
    target: pathname + search,
    authority: host,
    rawHeaders: Object.entries(request.headers).flat(),
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
  const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url');
  const proof = sign(message, key, { nowMs: clock.now(), nonce, direction: 'push' });
  return { ...request, headers: { ...request.headers, ...proof } };
}
