/**
 * What a caller of the store must not get wrong. Rooms judge what comes from outside and tell it in
 * their own words; a value that is impossible here is a fault of this program. It is found before
 * the first write, so that no store is left with half of it.
 */
export function demandWhole(name: string, value: number, min: number, max = MAX): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} is ${value}; a whole number from ${min} to ${max} was due`);
}

export function demandOneOf(
  name: string,
  value: string | undefined,
  words: readonly string[],
): void {
  if (value === undefined || words.includes(value)) return;
  throw new RangeError(`${name} is ${value}; one of ${words.join(', ')} was due`);
}

export function demandAtMost(name: string, size: number, max: number): void {
  if (size <= max) return;
  throw new RangeError(`${size} ${name} at once; ${max} is the limit`);
}

/** A hundred years of milliseconds: a moment plus this is a number still. */
const MAX = 3_155_760_000_000;
