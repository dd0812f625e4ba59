import type { Random } from '@agent-reach/core/kernel';
import type { Now } from '../storage/spi/now.ts';
import type { RulesStore } from '../storage/spi/rules.ts';

/** Documents of the gateway itself belong to no tenant; `@` cannot be in a tenant's name. */
export const SYSTEM = '@system';
export const TOKEN_KEY = 'call-token-key';
const KEY_BYTES = 32;

/** The secret that signs call tokens: made once into the store, so that all gateways share it. */
export async function loadTokenKey(
  rules: RulesStore,
  random: Random,
  now: Now,
): Promise<Uint8Array> {
  const present = await rules.get({ tenant: SYSTEM, name: TOKEN_KEY });
  if (present !== undefined) return Buffer.from(present.doc, 'base64url');
  const made = Buffer.from(random.bytes(KEY_BYTES)).toString('base64url');
  // If another gateway was faster, its key is the one.
  const { row } = await rules.put({
    tenant: SYSTEM,
    name: TOKEN_KEY,
    doc: made,
    by: 'gateway',
    expectVersion: 0,
    now,
  });
  return Buffer.from(row.doc, 'base64url');
}
