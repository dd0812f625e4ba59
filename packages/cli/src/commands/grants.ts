import type { GrantRow, GrantsPolicy } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';
import { putPolicy, setPolicy } from './policies.ts';

/** `reach grants set`: a whole document. */
export const setGrants = setPolicy('grants');

/** `reach grants allow`: somebody may have something, beside what stands there. */
export async function allow(use: Use, session: Session): Promise<void> {
  await add('may', use, session);
}

/** `reach grants deny`: somebody may not, whatever else is said. */
export async function deny(use: Use, session: Session): Promise<void> {
  await add('not', use, session);
}

async function add(word: 'may' | 'not', use: Use, session: Session): Promise<void> {
  const who = use.required(0);
  const capabilities = use.rest(1);
  if (capabilities.length === 0) {
    throw new UsageError(`grants: name what ${who} ${word === 'may' ? 'may' : 'may not'} have.`);
  }
  // What is changed was read first: nobody's word in between is lost.
  const present = await session.ask('policies.get', { policy: 'grants' });
  const { rows = [] } = present.doc as GrantsPolicy;
  const row = rows.find((one) => one.who === who);
  const changed: GrantRow = {
    ...row,
    who,
    [word]: [...new Set([...(row?.[word] ?? []), ...capabilities])],
  };
  const doc = {
    rows: row === undefined ? [...rows, changed] : rows.map((one) => (one === row ? changed : one)),
  };
  await putPolicy({ policy: 'grants', doc, expected: present.version }, use, session);
}
