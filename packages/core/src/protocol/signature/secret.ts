/** How secrets begin, so that scanners of logs and repositories find them. */
export const SECRET_PREFIX = 'rsk_';
export const TOKEN_PREFIX = 'rtk_';
const SECRET_BYTES = 32;

/** A signing secret as a person copies it: the prefix and 43 digits of base64url. */
export function writeSecret(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64url');
}

/** The 32 bytes of a signing secret; undefined: it is none. */
export function readSecret(text: string): Buffer | undefined {
  if (!text.startsWith(SECRET_PREFIX)) return undefined;
  const digits = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(digits, 'base64url');
  return bytes.length === SECRET_BYTES && bytes.toString('base64url') === digits
    ? bytes
    : undefined;
}
