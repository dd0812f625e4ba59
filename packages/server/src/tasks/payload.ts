import { ReachError } from '@agent-reach/core';
import type { TaskRoom } from './room.ts';

/** A payload as JSON. Throws `payload-too-large` with limit and size. */
export function payloadText(payload: unknown, { options }: TaskRoom): string {
  const text = JSON.stringify(payload);
  const size = Buffer.byteLength(text);
  const limit = options.payloadBytesMax;
  if (size <= limit) return text;
  throw new ReachError(
    'payload-too-large',
    `The payload has ${size} bytes, and ${limit} is the most. Store it elsewhere and send its address.`,
    { limit, size },
  );
}
