import type { Issue } from '@agent-reach/core';
import { LIMITS } from './limits.ts';

/** A schema inside a schema, as far as references are concerned. */
export interface Place {
  depth: number;
  /** Schemas that this one applies to the same value. */
  here: string[];
  /** Its `$ref`. */
  reference: string | undefined;
}

type Places = ReadonlyMap<string, Place>;

/**
 * The faults of the references among `places`, which are keyed by pointer below the root.
 * Three are refused: one that leads nowhere; a circle that consumes nothing of the value, since
 * following it never ends; and more following than Ajv's stack bears while it compiles.
 */
export function judgeReferences(places: Places, base: string): Issue[] {
  const issues: Issue[] = [];
  for (const [at, { reference }] of places) {
    if (reference === undefined || places.has(targetOf(reference))) continue;
    const detail = `leads to ${reference.slice(0, 80)}, where no schema is`;
    issues.push({ pointer: `${base}${at}/$ref`, detail });
  }
  if (issues.length > 0) return issues;
  const circle = findCircle(places);
  if (circle !== undefined) {
    const detail = 'leads back to itself without looking into the value, so it would never end';
    return [{ pointer: `${base}${circle}`, detail }];
  }
  const steps = countSteps(places);
  if (steps <= LIMITS.referenceSteps) return [];
  const what = 'follows references through';
  const detail = `${what} ${steps} levels of definitions, at most ${LIMITS.referenceSteps}`;
  return [{ pointer: base, detail }];
}

/** The place that a `$ref` names, as a pointer below the root. */
export function targetOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    // A stray percent sign is no escape, and no place has such a name.
    return reference;
  }
}

/** A place from which applying schemas to one and the same value comes back to itself. */
function findCircle(places: Places): string | undefined {
  const done = new Set<string>();
  const open = new Set<string>();
  const stack: { at: string; next: string[] }[] = [];
  const enter = (at: string): void => {
    const place = places.get(at);
    const reference = place?.reference === undefined ? [] : [targetOf(place.reference)];
    open.add(at);
    stack.push({ at, next: [...(place?.here ?? []), ...reference] });
  };
  for (const start of places.keys()) {
    if (!done.has(start)) enter(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        stack.pop();
        open.delete(top.at);
        done.add(top.at);
      } else if (open.has(next)) return next;
      else if (!done.has(next)) enter(next);
    }
  }
  return undefined;
}

/** For each definition referred to: one, and how deep inside it the deepest reference sits. */
function countSteps(places: Places): number {
  const referring = [...places].filter(([, place]) => place.reference !== undefined);
  const targets = new Set(referring.map(([, place]) => targetOf(place.reference as string)));
  let steps = 0;
  for (const target of targets) {
    const top = (places.get(target) as Place).depth;
    let deepest = top;
    for (const [at, { depth }] of referring) {
      if (at.startsWith(`${target}/`) && depth > deepest) deepest = depth;
    }
    steps += 1 + deepest - top;
  }
  return steps;
}
