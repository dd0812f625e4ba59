import type { Capability, Manifest } from '@agent-reach/core';
import { whyNoStandIn } from '../../resilience/stand-in.ts';
import { breakingChanges, type Effort, startEffort } from '../../schemas/compatibility.ts';

/**
 * What the owner of a manifest should know of the fallbacks it declares: each would be passed over,
 * or refuse what callers send. Warnings, for who offers what changes from day to day.
 * `offersOf` answers those who offer a name now; undefined: that is not known here.
 */
export function fallbackWarnings(
  { capabilities }: Manifest,
  offersOf: (name: string) => readonly Capability[] | undefined,
): string[] {
  const effort = startEffort();
  return capabilities.flatMap((capability) =>
    (capability.fallback ?? []).flatMap((name) => {
      const why = whyUseless(capability, name, offersOf(name), effort);
      return why === undefined ? [] : [`${capability.name} has the fallback ${name}: ${why}.`];
    }),
  );
}

function whyUseless(
  capability: Capability,
  name: string,
  offers: readonly Capability[] | undefined,
  effort: Effort,
): string | undefined {
  if (name === capability.name) return 'that is itself, and stands in for nobody';
  if (offers === undefined) return undefined;
  let why: string | undefined = 'nobody offers it yet';
  for (const offer of offers) {
    why = whyNot(capability, offer, effort);
    if (why === undefined) return undefined; // One who can is enough.
  }
  return why;
}

function whyNot(capability: Capability, offer: Capability, effort: Effort): string | undefined {
  const barred = whyNoStandIn(offer, [capability.effect ?? 'undeclared']);
  if (barred !== undefined) return barred;
  const [change] = breakingChanges(
    { input: capability.input, output: {} },
    { input: offer.input, output: {} },
    effort,
  );
  return change === undefined ? undefined : `its schema may refuse what callers send: ${change}`;
}
