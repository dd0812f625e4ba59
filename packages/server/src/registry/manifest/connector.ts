import type { Manifest } from '@agent-reach/core';

/**
 * The manifest of a connector after one of its actions was registered: form D carries one action
 * at a time, and its connector keeps the others. An action of the same name takes the place of
 * the one before, and they stand by name, so that registering one again changes nothing. What
 * the connector says of itself is as the newest registration says it.
 */
export function withKnownActions(before: Manifest | undefined, after: Manifest): Manifest {
  if (before?.kind !== 'connector' || after.kind !== 'connector') return after;
  const renewed = new Set(after.capabilities.map(({ name }) => name));
  const kept = before.capabilities.filter(({ name }) => !renewed.has(name));
  const all = [...kept, ...after.capabilities];
  return { ...after, capabilities: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
