/** What each member is owed, in parts of a turn; a member that is not in it is owed nothing. */
export type Owed = ReadonlyMap<string, number>;

/**
 * Whose turn it is, by weight and as evenly mixed as weights allow: each is owed its weight anew,
 * the one who is owed most has the turn and pays the sum for it. 5, 1, 1 go a a b a c a a, and
 * never five times a in a row.
 *
 * Source: the smooth weighted round robin of nginx (Igor Sysoev, 2012).
 */
export function nextTurn(
  members: readonly { id: string; weight: number }[],
  owed: Owed,
): { index: number; owed: Owed } {
  const after = new Map<string, number>();
  let sum = 0;
  let index = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [i, { id, weight }] of members.entries()) {
    const mine = (owed.get(id) ?? 0) + weight;
    after.set(id, mine);
    sum += weight;
    if (mine > most) {
      most = mine;
      index = i;
    }
  }
  after.set(members[index]?.id ?? '', most - sum);
  return { index, owed: after };
}
