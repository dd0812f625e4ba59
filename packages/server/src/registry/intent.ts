import type { Intent, IntentOwner } from '@agent-reach/core';
import type { Instance } from './directory.ts';

/**
 * What is intended with an instance: what an agent or a person wants of it, and where nobody takes
 * it out, a fence.
 */
export function intentOf({ row, fence }: Instance): {
  intent: Intent;
  by: IntentOwner | 'fence';
  reason: string | undefined;
} {
  if (fence !== undefined && row.intent === 'enabled') {
    return { intent: 'fenced', by: 'fence', reason: fence.reason };
  }
  return { intent: row.intent, by: row.intentBy, reason: row.intentReason };
}
