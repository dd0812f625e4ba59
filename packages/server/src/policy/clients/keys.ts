import { createHash } from 'node:crypto';
import { type KeyType, TOKEN_PREFIX, writeSecret } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';
import type { KeyDoc } from './client.ts';
import type { Vault } from './seal.ts';

/** Where a key belongs. */
export interface KeyName {
  tenant: string;
  clientId: string;
  kid: string;
}

const SECRET_BYTES = 32;
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

/** A new key: what is kept of it, and the secret for its holder, who is told it once. */
export function makeKey(
  { type, ...name }: KeyName & { type: KeyType },
  at: number,
  { random, vault }: { random: Random; vault: Vault },
): { key: KeyDoc; secret: string } {
  const bytes = random.bytes(SECRET_BYTES);
  const about = { kid: name.kid, type, createdAt: at };
  if (type === 'token') {
    const secret = TOKEN_PREFIX + Buffer.from(bytes).toString('base64url');
    return { key: { ...about, kept: hashOf(secret) }, secret };
  }
  const secret = writeSecret(bytes);
  return { key: { ...about, kept: vault.seal(bytes, placeOf(name)) }, secret };
}

/** The secret of a signing key; undefined: this gateway's vault does not open it. */
export function secretOf({ kept }: KeyDoc, name: KeyName, vault: Vault): Buffer | undefined {
  return vault.open(kept, placeOf(name));
}

/**
 * What is looked up for a token; undefined: it is none. Tokens are 256 bits of chance: a plain hash
 * is as good as a slow one, and no guess comes near enough to be told so by the time it takes.
 */
export function tokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hashOf(token) : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function placeOf({ tenant, clientId, kid }: KeyName): string {
  return [tenant, 'clients', clientId, kid].join('|');
}
