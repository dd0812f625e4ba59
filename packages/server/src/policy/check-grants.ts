import type { GrantRow, GrantsPolicy } from '@agent-reach/core';
import { matches } from './grants.ts';

/** What there is that a document of grants may speak of. */
export interface KnownNames {
  clients: readonly string[];
  capabilities: readonly string[];
}

/** Each pattern is held to all others. With more of them the looking would hold up everybody else. */
const PATTERNS_MAX = 2_000;

/**
 * What may be wrong with a document of grants. Nothing in it contradicts itself, since a denial goes
 * before all; but a row that moves nothing is most often a slip of the pen.
 */
export function lintGrants({ rows = [] }: GrantsPolicy, known: KnownNames): string[] {
  const patterns = rows.reduce((n, { may = [], not = [] }) => n + may.length + not.length, 0);
  if (patterns > PATTERNS_MAX) {
    return [`Not looked through for dead rows: it has ${patterns} patterns, over ${PATTERNS_MAX}.`];
  }
  return rows.flatMap((row, i) =>
    lintRow(row, i, rows, known).map((says) => `Row ${i + 1}: ${says}`),
  );
}

function lintRow(
  row: GrantRow,
  i: number,
  rows: readonly GrantRow[],
  { clients, capabilities }: KnownNames,
): string[] {
  const { who, may = [], not = [] } = row;
  const says: string[] = [];
  if (may.length === 0 && not.length === 0) says.push('it allows nothing and denies nothing.');
  if (!clients.some((client) => matches(who, client))) says.push(`no client is called ${who}.`);
  for (const pattern of [...may, ...not]) {
    if (capabilities.some((name) => matches(pattern, name))) continue;
    says.push(`nobody offers ${pattern} now.`);
  }
  for (const pattern of may) {
    const denier = rows.findIndex(
      (other) => covers(other.who, who) && coversAny(other.not, pattern),
    );
    if (denier >= 0) says.push(`${pattern} is denied by row ${denier + 1}, which goes before.`);
  }
  const isSaidBefore = (words: 'may' | 'not') =>
    (row[words] ?? []).every((pattern) =>
      rows.slice(0, i).some((other) => covers(other.who, who) && coversAny(other[words], pattern)),
    );
  if (may.length + not.length > 0 && isSaidBefore('may') && isSaidBefore('not')) {
    says.push('earlier rows say all of it.');
  }
  return says;
}

function coversAny(patterns: readonly string[] | undefined, pattern: string): boolean {
  return patterns?.some((wider) => covers(wider, pattern)) ?? false;
}

/** Whether all that one pattern matches is matched by another. */
function covers(wider: string, pattern: string): boolean {
  if (wider === pattern) return true;
  return wider.endsWith('*') && pattern.replace(/\*$/, '').startsWith(wider.slice(0, -1));
}
