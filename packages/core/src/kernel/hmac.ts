import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * HMAC-SHA-256 of a text in UTF-8 (RFC 2104). Two hashes in one step each: Node's own `createHmac`
 * makes an object with every signature that the collector must take apart, and costs twice as much.
 */
export function hmacSha256(
  key: Uint8Array,
  text: string,
  encoding: 'base64' | 'base64url' | 'hex',
): string {
  const block = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const inner = padded(block, INNER_PAD, Buffer.byteLength(text));
  inner.write(text, BLOCK_BYTES);
  const outer = padded(block, OUTER_PAD, DIGEST_BYTES);
  outer.write(hash('sha256', inner, 'hex'), BLOCK_BYTES, 'hex');
  return hash('sha256', outer, encoding);
}

/** The key under a pad, and room behind it. */
function padded(key: Uint8Array, pad: number, roomBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(BLOCK_BYTES + roomBytes);
  for (let i = 0; i < BLOCK_BYTES; i++) bytes[i] = pad ^ (key[i] ?? 0);
  return bytes;
}
