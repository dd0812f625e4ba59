import type { Effect } from '@agent-reach/core';

/** An effect, or that none is declared. */
export type Declared = Effect | 'undeclared';

/** What each may be answered by: nothing that does more to the world. */
const ALLOWED: Record<Declared, readonly Declared[]> = {
  read: ['read'],
  idempotent_write: ['read', 'idempotent_write'],
  write: ['read', 'idempotent_write', 'write', 'undeclared'],
  // Nobody knows what it does: what says that it writes may do more, what says nothing, as much.
  undeclared: ['read', 'undeclared'],
};

/**
 * Why a capability may not stand in for others that were asked for, as part of a sentence;
 * undefined: it may. `asked` are the effects of those who offer what was asked for: none of them
 * may be outdone. Where nobody offers it nobody knows its effect, and only a read is harmless.
 */
export function whyNoStandIn(
  capability: { effect?: Effect; sensitive: boolean },
  asked: readonly Declared[],
): string | undefined {
  const effect: Declared = capability.effect ?? 'undeclared';
  if (capability.sensitive) return 'it is sensitive, and is never reached as a fallback';
  const bounds: readonly Declared[] = asked.length === 0 ? ['read'] : asked;
  const bound = bounds.find((one) => !ALLOWED[one].includes(effect));
  if (bound === undefined) return undefined;
  const than =
    asked.length === 0 ? 'nobody offers what was asked for' : `that asked for ${is(bound)}`;
  return `it ${is(effect)}, and ${than}: a fallback does no more`;
}

function is(effect: Declared): string {
  return effect === 'undeclared' ? 'declares no effect' : `is ${effect}`;
}
