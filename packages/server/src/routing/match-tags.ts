import type { Provider } from '../registry/directory.ts';

/** Never given up, whatever the settings say: it says what the work is. */
const NEVER_RELAXED = 'capability';

/**
 * The first pair that `has` lacks of what is wanted. A wanted key with an empty value asks for
 * presence only, so a list tag and a map tag match alike.
 */
export function missingTag(
  wanted: Readonly<Record<string, string>>,
  has: Readonly<Record<string, string>>,
): string | undefined {
  for (const key in wanted) {
    const value = wanted[key];
    if (!Object.hasOwn(has, key)) return key;
    if (value !== '' && has[key] !== value) return `${key}=${value}`;
  }
  return undefined;
}

/** Tags of an offer at one instance: the capability's over the instance's over the agent's. */
export function effectiveTags(
  provider: Provider,
  instanceTags: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const _ in instanceTags) {
    return {
      ...provider.agent.definition.manifest.tags,
      ...instanceTags,
      ...provider.capability.tags,
    };
  }
  return provider.tags; // The usual case, without a copy.
}

/** What is still wanted after giving up each further tag of `relax`, in order. */
export function* relaxations(
  wanted: Readonly<Record<string, string>>,
  relax: readonly string[],
): Iterable<{ wanted: Readonly<Record<string, string>>; gaveUp: string[] }> {
  let left = wanted;
  const gaveUp: string[] = [];
  for (const key of relax) {
    if (key === NEVER_RELAXED || !Object.hasOwn(left, key)) continue;
    gaveUp.push(left[key] === '' ? key : `${key}=${left[key]}`);
    const { [key]: _, ...rest } = left;
    left = rest;
    yield { wanted: left, gaveUp: [...gaveUp] };
  }
}

/** What the caller is told of tags that were given up. */
export function gaveUpText(gaveUp: readonly string[]): string {
  return `Nobody has ${gaveUp.join(', ')}; given up to find a candidate.`;
}
