import type { Output, PolicyDoc, PolicyName, PolicyView } from '@agent-reach/core';
import { readCount, readParams } from '../input.ts';
import { json } from '../render/plain.ts';
import type { Column } from '../render/table.ts';
import type { Verb } from '../row.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach … get`: the document, fit to be edited and set again. */
export function getPolicy(policy: PolicyName): Verb {
  return async (_use, session) => {
    const view = await session.ask('policies.get', { policy });
    if (!session.isJson) session.note(`${policy}: ${stand(view)}`);
    session.answer(view, () => `${json(view.doc, true)}\n`);
  };
}

/** `reach … rollback`. */
export function rollbackPolicy(policy: PolicyName): Verb {
  return async (use, session) => {
    const to = readCount(use.operand(0), 'rollback');
    tellWritten(await session.ask('policies.rollback', { policy, ...given({ to }) }), session);
  };
}

/** `reach … history`. */
export function listPolicy(policy: PolicyName): Verb {
  return async (use, session) => {
    const limit = readCount(use.text('limit'), '--limit');
    const data = await session.ask('policies.history', { policy, ...given({ limit }) });
    session.list(data, data.versions, VERSIONS);
  };
}

/** `reach … set`: a whole document. */
export function setPolicy(policy: PolicyName): Verb {
  return async (use, session) => {
    const doc = (await readParams(use.required(0), [], session.world)) as PolicyDoc;
    const expected = readCount(use.text('expect'), '--expect');
    await putPolicy({ policy, doc, expected }, use, session);
  };
}

/** Writes a document, or tries it with `--dry-run`. `expected`: the version that was read before, if one was. */
export async function putPolicy(
  { policy, doc, expected }: { policy: PolicyName; doc: PolicyDoc; expected: number | undefined },
  use: Use,
  session: Session,
): Promise<void> {
  const more = given({ expect_version: expected, dry_run: use.on('dryRun') || undefined });
  tellWritten(await session.ask('policies.put', { policy, doc, ...more }), session);
}

/** Says what became of a document that was written. */
function tellWritten(data: Output<'policies.put'>, session: Session): void {
  session.warn(data.warnings);
  session.answer(data, () => {
    return data.dry_run ? 'checked, nothing was stored\n' : `${data.policy}: ${stand(data)}\n`;
  });
}

/** What holds where nobody has written a word. */
const UNWRITTEN: Readonly<Record<PolicyName, string>> = {
  pins: 'never written, nothing is pinned',
  examples: 'never written, nothing was learned',
  calibration: 'never written, the probability is as it ships',
  weights: 'never written, everybody has weight 1',
  budgets: 'never written, nobody is held to any',
  confirmations: 'never written, what is sensitive is confirmed',
  owners: 'never written, every name is its first offerer’s where the gateway asks who one is',
  grants: 'never written, nobody may have anything where the gateway asks who one is',
};

function stand({ policy, version, by, at }: Omit<PolicyView, 'doc'>): string {
  return version === 0 ? UNWRITTEN[policy] : `version ${version}, by ${by}, ${at}`;
}

const VERSIONS: Column<PolicyView>[] = [
  { title: 'VERSION', of: (row) => row.version, align: 'right' },
  { title: 'AT', of: (row) => row.at },
  { title: 'BY', of: (row) => row.by },
  { title: 'DOCUMENT', of: (row) => JSON.stringify(row.doc), flexible: true },
];
