import { createHmac, timingSafeEqual } from 'node:crypto';
import { validationFailed } from '@agent-reach/core';

/** What a lease token says: who may speak for which task, and as of which epoch. */
export interface Lease {
  tenant: string;
  taskId: string;
  epoch: number;
  holder: string;
}

/** A token as it was presented: its words, and whether this gateway's key vouches for them. */
export type Presented = Lease & { isOurs: boolean };

const MAC_BYTES = 16;
const FORM =
  /^([A-Za-z0-9][A-Za-z0-9._:-]{0,127})~(\d{1,15})~([A-Za-z0-9][A-Za-z0-9._:-]{0,127})~([A-Za-z0-9_-]{22})$/;

/**
 * `task~epoch~holder~mac`: legible, because people debug with it, and not to be forged, because
 * whoever holds it ends the task. HMAC-SHA-256 cut to 128 bits (RFC 2104 §5); the tenant is under
 * the seal and not in the text.
 */
export function signLease(lease: Lease, key: Uint8Array): string {
  return `${lease.taskId}~${lease.epoch}~${lease.holder}~${mac(lease, key)}`;
}

/** Reads a token for `tenant`. Throws `validation-failed` at `pointer` for what is no token at all. */
export function readLease(
  token: string,
  { tenant, pointer }: { tenant: string; pointer: string },
  key: Uint8Array,
): Presented {
  const lease = parseLease(token, tenant, key);
  if (lease !== undefined) return lease;
  throw validationFailed('The lease', [
    { pointer, detail: 'is not a lease of this gateway: send the one of the delivery' },
  ]);
}

/** The same; undefined for what is no token at all. */
export function parseLease(token: string, tenant: string, key: Uint8Array): Presented | undefined {
  const [, taskId, epoch, holder, seal] = FORM.exec(token) ?? [];
  if (taskId === undefined || holder === undefined || seal === undefined) return undefined;
  const lease = { tenant, taskId, epoch: Number(epoch), holder };
  const given = Buffer.from(seal);
  const right = Buffer.from(mac(lease, key));
  return { ...lease, isOurs: given.length === right.length && timingSafeEqual(given, right) };
}

function mac({ tenant, taskId, epoch, holder }: Lease, key: Uint8Array): string {
  const text = `reach.lease.v1\n${tenant}\n${taskId}\n${epoch}\n${holder}`;
  return createHmac('sha256', key)
    .update(text)
    .digest()
    .subarray(0, MAC_BYTES)
    .toString('base64url');
}
