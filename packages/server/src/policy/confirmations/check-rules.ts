import type { ConfirmationsPolicy } from '@agent-reach/core';
import { matches } from '../grants.ts';

/** What there is that a document of confirmations may speak of. */
export interface KnownNames {
  clients: readonly string[];
  capabilities: readonly string[];
}

/** What may be wrong with a document of confirmations: rules that can never decide anything. */
export function lintConfirmations(
  { rules = [] }: ConfirmationsPolicy,
  { clients, capabilities }: KnownNames,
): string[] {
  return rules.flatMap(({ match, by, approvers = [] }, i) => {
    const says: string[] = [];
    if (!capabilities.some((name) => matches(match.capability, name))) {
      says.push(`nobody offers ${match.capability} now.`);
    }
    const before = rules.findIndex(
      (other) =>
        other.match.effect === undefined &&
        other.match.agent === undefined &&
        (other.match.capability === match.capability ||
          (other.match.capability.endsWith('*') &&
            matches(other.match.capability, match.capability.replace(/\*$/, '')))),
    );
    if (before >= 0 && before < i) says.push(`rule ${before + 1} goes before and says all of it.`);
    if (approvers.length > 0 && by !== 'human') says.push(`nobody approves what is by ${by}.`);
    for (const one of approvers) {
      if (!one.startsWith('role:') && !clients.includes(one))
        says.push(`no client is called ${one}.`);
    }
    return says.map((one) => `Rule ${i + 1}: ${one}`);
  });
}
