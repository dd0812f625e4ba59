/** Those most like an unknown name, the nearest first; case and joints do not count. */
export function nearestOf(name: string, known: Iterable<string>, most: number): string[] {
  const wanted = bare(name);
  const limit = Math.floor(wanted.length / 3) + 1;
  const found: { other: string; distance: number }[] = [];
  for (const other of known) {
    const own = bare(other);
    // The last part alone, or with another name space.
    const isPart = own.endsWith(` ${wanted}`) || wanted.endsWith(` ${own}`);
    const distance = isPart ? 1 : editDistance(wanted, own, limit);
    if (distance < limit) found.push({ other, distance });
  }
  const byDistance = (a: (typeof found)[number], b: (typeof found)[number]) => {
    return a.distance - b.distance || (a.other < b.other ? -1 : 1);
  };
  return found
    .sort(byDistance)
    .slice(0, most)
    .map(({ other }) => other);
}

/** Whether two names are the same but for case and joints. */
export function isSameName(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

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
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    if (Math.min(...next) >= most) return most;
    row = next;
  }
  return row[b.length] ?? most;
}
