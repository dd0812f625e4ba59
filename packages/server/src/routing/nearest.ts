/**
 * Those most like an unknown name, the nearest first; case and joints do not count. Whether one may be told
 * is asked of the nearest alone, and of `ASKED_MAX` at most.
 */
export function nearestOf(
  name: string,
  known: Iterable<string>,
  { most, mayTell }: { most: number; mayTell: (name: string) => boolean },
): string[] {
  const wanted = bare(name);
  const limit = Math.floor(wanted.length / 3) + 1;
  const isNear = nearness(name, limit);
  const found: { other: string; distance: number }[] = [];
  for (const other of known) {
    if (!isNear(other)) continue;
    const own = bare(other);
    // The last part alone, or with another name space.
    const isPart = own.endsWith(` ${wanted}`) || wanted.endsWith(` ${own}`);
    const distance = isPart ? 1 : editDistance(wanted, own, limit);
    if (distance < limit) found.push({ other, distance });
  }
  const byDistance = (a: (typeof found)[number], b: (typeof found)[number]) => {
    return a.distance - b.distance || (a.other < b.other ? -1 : 1);
  };
  const asked = found.sort(byDistance).slice(0, ASKED_MAX).values();
  return asked
    .map(({ other }) => other)
    .filter(mayTell)
    .take(most)
    .toArray();
}

/** Whether two names are the same but for case and joints. */
export function isSameName(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

const ASKED_MAX = 1_000;

/**
 * Tells apart, in a tenth of a microsecond, names that cannot be near for the letters that one of them has and
 * the other has not. Joints and what is not ASCII are left out of both.
 */
function nearness(name: string, limit: number): (other: string) => boolean {
  const counts = new Uint16Array(LETTERS);
  let length = 0;
  for (let i = 0; i < name.length; i++) {
    const letter = LETTER[name.charCodeAt(i)] ?? 0;
    if (letter === 0) continue;
    counts[letter] = (counts[letter] ?? 0) + 1;
    length += 1;
  }
  const left = new Uint16Array(LETTERS);
  return (other) => {
    left.set(counts);
    let foreign = 0;
    let common = 0;
    for (let i = 0; i < other.length; i++) {
      const letter = LETTER[other.charCodeAt(i)] ?? 0;
      if (letter === 0) continue;
      const rest = left[letter] ?? 0;
      if (rest === 0) foreign += 1;
      else common += 1;
      left[letter] = Math.max(0, rest - 1);
    }
    const missing = length - common;
    // One that has all letters of the other may be a part of it, however long that is.
    return foreign === 0 || missing === 0 || Math.max(foreign, missing) < limit;
  };
}

const LETTERS = 128;
/** What counts, in lower case; 0: it does not. */
const LETTER = Uint8Array.from({ length: LETTERS }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[._-]/.test(letter) ? 0 : letter.charCodeAt(0);
});

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, ' ');
}

/** The known name most like an unknown one, if any is so like it that it may be meant. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A third of the letters wrong is another word.
  let least = Math.floor(name.length / 3) + 1;
  for (const other of known) {
    const distance = editDistance(name, other, least);
    if (distance >= least) continue;
    least = distance;
    best = other;
  }
  return best;
}

/** Letters to insert, drop or change until one name is the other (Levenshtein); `most` ends the count. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  const row = Uint16Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    let before = i - 1;
    let last = i;
    let least = i;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const changed = before + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      last = Math.min(changed, above + 1, last + 1);
      row[j] = last;
      before = above;
      least = Math.min(least, last);
    }
    if (least >= most) return most;
  }
  return row[b.length] ?? most;
}
