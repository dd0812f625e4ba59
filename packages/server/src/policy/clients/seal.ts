import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Random } from '@agent-reach/core/kernel';

/**
 * What secrets are kept under (AES-256-GCM). A signing secret must be had again to verify, so it
 * cannot be hashed; whoever reads the store alone must not be able to sign.
 */
export interface Vault {
  /** Which key it is, for the error that says it is another one. */
  id: string;
  /** `about` names where the secret belongs: it opens nowhere else. */
  seal(secret: Uint8Array, about: string): string;
  /** Undefined: it was sealed under another key, for another place, or changed. */
  open(sealed: string, about: string): Buffer | undefined;
  /** A key of 32 bytes for another purpose, which tells nothing of this one. */
  subkey(purpose: 'audit-seal'): Buffer;
}

const FORM = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]+)\.([\w-]{22})$/;
const NONCE_BYTES = 12;
const ALGORITHM = 'aes-256-gcm';

/** A vault under a key of 32 bytes. Its own subkey: the key may protect other things as well. */
export function openVault(kek: Uint8Array, random: Random): Vault {
  const key = Buffer.from(hkdfSync('sha256', kek, '', 'reach/v1/client-secrets', 32));
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return {
    id,
    subkey: (purpose) => Buffer.from(hkdfSync('sha256', kek, '', `reach/v1/${purpose}`, 32)),
    seal(secret, about) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(about));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      const parts = [nonce, text, cipher.getAuthTag()];
      return ['v1', id, ...parts.map((part) => Buffer.from(part).toString('base64url'))].join('.');
    },
    open(sealed, about) {
      const [, of, nonce = '', text = '', tag = ''] = FORM.exec(sealed) ?? [];
      if (of !== id) return undefined;
      const bytes = (part: string) => Buffer.from(part, 'base64url');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes(nonce))
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes(tag));
        return Buffer.concat([decipher.update(bytes(text)), decipher.final()]);
      } catch {
        return undefined; // The tag does not fit: another place, or other bytes.
      }
    },
  };
}

/** Which key a secret was sealed under; undefined: it is no sealed secret. */
export function vaultIdOf(sealed: string): string | undefined {
  return FORM.exec(sealed)?.[1];
}
