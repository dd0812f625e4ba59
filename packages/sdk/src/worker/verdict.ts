import { ReachError } from '@agent-reach/core';

/** Codes that say something about us or our way to the gateway, and nothing about the task. */
const ABOUT_US = new Set(['unauthenticated', 'signature-invalid', 'tenant-mismatch', 'cancelled']);

/**
 * Whether the gateway has judged a holder's word for good. Anything else is no answer: it is away,
 * busy, or does not know us, and the word is said again.
 */
export function isVerdict(error: unknown): error is ReachError {
  if (!ReachError.is(error)) return false;
  if (error.code === 'schema-drift') return true;
  const isFinal = error.status >= 400 && error.status < 500 && !error.retryable;
  return isFinal && !ABOUT_US.has(error.code);
}

/** Whether the verdict is that the task is not ours. */
export function isLoss({ code }: ReachError): boolean {
  return code === 'lease-lost' || code === 'task-not-found';
}
