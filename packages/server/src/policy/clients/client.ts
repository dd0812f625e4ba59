import { type KeyType, type KeyView, ReachError, type Role } from '@agent-reach/core';

/** A client as its document holds it, one a client in the store `rules` of its tenant. */
export interface ClientDoc {
  kind: 'agent' | 'service' | 'person';
  agentId?: string;
  role?: Role;
  note?: string;
  createdAt: number;
  /** How many keys it ever had: a kid is never given twice. */
  keysMade: number;
  /** The oldest first. */
  keys: KeyDoc[];
  /** It is gone; the document stays, for its name and its history do. */
  removedAt?: number;
}

/** A key as it is stored. */
export interface KeyDoc {
  kid: string;
  type: KeyType;
  /** An HMAC secret under the gateway's own key; of a token only its SHA-256, in hex. */
  kept: string;
  createdAt: number;
  /** When it was first used; absent: never. */
  usedAt?: number;
  /** When it stops to hold; absent: as long as the client is there. */
  endsAt?: number;
}

/** Two: the one in use, and the one before or after it. */
const LIVE_MAX = 2;
/** Keys that hold no more and are still shown, so that their holders are told why they fail. */
const ENDED_KEPT = 6;
/** How long a key holds after its successor is in use. */
export const RETIRING_MS = 86_400_000;

/** Where a key is in its life at `now`. */
export function stateOf({ usedAt, endsAt }: KeyDoc, now: number): KeyView['state'] {
  if (endsAt !== undefined) return endsAt > now ? 'retiring' : 'revoked';
  return usedAt === undefined ? 'pending' : 'active';
}

/** The kid that the next key will have. */
export function nextKid(client: ClientDoc): string {
  return `k${client.keysMade + 1}`;
}

/**
 * The client with one more key. One that was made and never used gives way to it. Throws
 * `rule-refused` when two are in use.
 */
export function withKey(client: ClientDoc, key: KeyDoc): ClientDoc {
  const now = key.createdAt;
  const rest = client.keys.map((other) =>
    stateOf(other, now) === 'pending' ? { ...other, endsAt: now } : other,
  );
  const live = rest.filter((other) => stateOf(other, now) !== 'revoked');
  if (live.length >= LIVE_MAX) {
    const [first] = live;
    throw new ReachError(
      'rule-refused',
      `${live.map(({ kid }) => kid).join(' and ')} are both in use, the most that may: wait until ${first?.kid} has ended, or revoke it.`,
    );
  }
  const ended = rest.filter((other) => stateOf(other, now) === 'revoked').slice(-ENDED_KEPT);
  return { ...client, keys: [...ended, ...live, key], keysMade: client.keysMade + 1 };
}

/**
 * The client once a key of it was used: the key is active, and those before it retire. The same
 * object when that is known already.
 */
export function withUse(client: ClientDoc, kid: string, now: number): ClientDoc {
  const used = client.keys.find((key) => key.kid === kid);
  if (used === undefined || stateOf(used, now) !== 'pending') return client;
  const keys = client.keys.map((key) => {
    if (key === used) return { ...key, usedAt: now };
    return key.endsAt === undefined ? { ...key, endsAt: now + RETIRING_MS } : key;
  });
  return { ...client, keys };
}

/** The client without a key, from now on. The same object when it holds no more already. */
export function withoutKey(client: ClientDoc, kid: string, now: number): ClientDoc {
  const key = client.keys.find((other) => other.kid === kid);
  if (key === undefined) throw new ReachError('not-found', `It has no key ${kid}.`);
  if (stateOf(key, now) === 'revoked') return client;
  return { ...client, keys: client.keys.map((k) => (k === key ? { ...k, endsAt: now } : k)) };
}
