import type { Capability, Manifest } from '@agent-reach/core';
import { breakingChanges, type Effort, startEffort } from '../../schemas/compatibility.ts';

/** Why the later manifest breaks callers of the earlier one, in words; empty when it does not. */
export function compareManifests(before: Manifest, after: Manifest): string[] {
  const effort = startEffort();
  const now = new Map(after.capabilities.map((c) => [c.name, c]));
  return before.capabilities.flatMap((capability) => {
    const next = now.get(capability.name);
    if (next === undefined) return [`${capability.name} is no longer offered`];
    return [
      ...effectChange(capability, next),
      ...confirmationChange(capability, next),
      ...schemaChanges(capability, next, effort),
    ];
  });
}

/** Callers repeat what reads and key what writes: another effect is another contract. */
function effectChange(before: Capability, after: Capability): string[] {
  if (before.effect === after.effect) return [];
  // Saying at last what was always so breaks nobody, unless it now demands a key.
  if (before.effect === undefined && after.effect === 'read') return [];
  return [
    `${after.name} was ${before.effect ?? 'undeclared'} and is ${after.effect ?? 'undeclared'}`,
  ];
}

/** A caller that was answered is now asked for a confirmation, and may not know how. */
function confirmationChange(before: Capability, after: Capability): string[] {
  return after.sensitive && !before.sensitive ? [`${after.name} now asks for a confirmation`] : [];
}

function schemaChanges(before: Capability, after: Capability, effort: Effort): string[] {
  return breakingChanges(before, after, effort).map((change) => `${after.name}: ${change}`);
}
