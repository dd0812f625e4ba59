import type { BalanceRow, Output, WeightsPolicy } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { readCount, readPairs, readParams } from '../input.ts';
import type { Page } from '../render/page.ts';
import { type Column, facts, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { putPolicy } from './policies.ts';

/** `reach weights set`: a whole document, or single words on top of the present one. */
export async function setWeights(use: Use, session: Session): Promise<void> {
  const document = use.operand(0);
  const expected = readCount(use.text('expect'), '--expect');
  const isSingle = SINGLES.some((name) => use.has(name) || use.many(name).length > 0);
  if (document === undefined && !isSingle) {
    throw new UsageError('weights set: give a document, @file or -, or say what to change.');
  }
  // What is changed was read first: nobody's word in between is lost.
  const present = await session.ask('policies.get', { policy: 'weights' });
  const whole = await readParams(document, [], session.world);
  // The gateway holds the document to its form.
  const before = (whole ?? present.doc) as WeightsPolicy;
  const doc = isSingle ? changed(before, use) : before;
  const seen = document === undefined ? present.version : undefined;
  await putPolicy({ policy: 'weights', doc, expected: expected ?? seen }, use, session);
}

/** `reach weights show`: how the work of a capability is shared out now. */
export async function showBalance(use: Use, session: Session): Promise<void> {
  const view = await session.ask('routes.balance', { capability: use.required(0) });
  session.answer(view, (page) => balance(view, page));
}

const SINGLES = ['capability', 'agent', 'share', 'strategy', 'stateful'] as const;

/** The document with what the flags say. */
function changed(doc: WeightsPolicy, use: Use): WeightsPolicy {
  const name = use.text('capability');
  const weights = numbersOf(use.many('agent'), '--agent');
  const shares = numbersOf(use.many('share'), '--share');
  const inCapability = given({
    strategy: use.text('strategy'),
    stateful: use.text('stateful'),
    versions: Object.keys(shares).length === 0 ? undefined : shares,
  });
  if (name === undefined) {
    if (Object.keys(inCapability).length > 0) {
      throw new UsageError('--share, --strategy and --stateful need --capability.');
    }
    const agents = { ...doc.agents };
    for (const [id, weight] of Object.entries(weights)) agents[id] = { ...agents[id], weight };
    return { ...doc, agents };
  }
  const before = doc.capabilities?.[name];
  const agents = { ...before?.agents, ...weights };
  const row = {
    ...before,
    ...inCapability,
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
  };
  // The gateway holds the words to its own table and says what is allowed.
  return { ...doc, capabilities: { ...doc.capabilities, [name]: row } } as WeightsPolicy;
}

function numbersOf(words: readonly string[], flag: string): Record<string, number> {
  const pairs = Object.entries(readPairs(words, flag));
  return Object.fromEntries(
    pairs.map(([key, value]) => {
      if (!/^\d+(\.\d+)?$/.test(value)) {
        throw new UsageError(`${flag} ${key}=${value}: write a number.`);
      }
      return [key, Number(value)];
    }),
  );
}

function balance(view: Output<'routes.balance'>, page: Page): string {
  const { capability, strategy, versions, stateful, candidates, imbalance } = view;
  const rows = table(candidates, CANDIDATES, page);
  if (page.width === undefined) return rows;
  const head = facts(
    [
      ['capability', capability],
      ['strategy', strategy],
      ['versions', versions === undefined ? undefined : sharesOf(versions)],
      ['stateful', stateful],
      [
        'imbalance',
        imbalance === undefined
          ? undefined
          : `${imbalance.agent} has ${imbalance.ratio} times what the others have, since ${imbalance.since}`,
        'yellow',
      ],
    ],
    page,
  );
  return `${head}\n${rows}`;
}

function sharesOf(versions: Readonly<Record<string, number>>): string {
  return Object.entries(versions)
    .map(([version, share]) => `${version} ${share} %`)
    .join(', ');
}

const CANDIDATES: Column<BalanceRow>[] = [
  { title: 'AGENT', of: (row) => row.agent },
  { title: 'INSTANCE', of: (row) => row.instance, flexible: true },
  { title: 'VERSION', of: (row) => row.version },
  { title: 'SHARE', of: (row) => `${Math.round(row.share * 1000) / 10} %`, align: 'right' },
  { title: 'WEIGHT', of: (row) => row.weight, align: 'right' },
  { title: 'HAND', of: (row) => row.parts.hand, align: 'right' },
  { title: 'CAPACITY', of: (row) => row.parts.capacity, align: 'right' },
  { title: 'REPORTED', of: (row) => row.parts.reported, align: 'right' },
  { title: 'REACHABILITY', of: (row) => row.parts.reachability, align: 'right' },
  { title: 'SLOW START', of: (row) => row.parts.slow_start, align: 'right' },
  { title: 'HELD', of: (row) => row.held, align: 'right' },
  { title: 'WAITING', of: (row) => row.waiting, align: 'right' },
  { title: 'WHY NOTHING', of: (row) => row.why, flexible: true },
];
