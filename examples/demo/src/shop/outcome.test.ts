import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintFor } from '../paint.ts';
import type { Reply } from '../reply.ts';
import { type Outcome, outcomeOf, type Told } from './outcome.ts';
import { exceptions, table } from './table.ts';
import { verdictOf } from './verdict.ts';

const SENSITIVE = new Set(['pay_back']);
const reply: Reply = { answer: '', language: 'en', understood: false, consulted: [] };
const askedBack = (...options: string[]): Reply => ({
  ...reply,
  asked: { route_id: 'r', options },
});

/** What came of a question that wants these, if these were visited. */
function end(wanted: string[], by: Partial<Omit<Told, 'visits'>> & { visited?: string[] }) {
  const question = { text: 'q', language: 'en', wanted } as const;
  const visits = (by.visited ?? []).map((capability, at) => {
    return { agent: `${capability}-desk`, capability, traceId: 't', at };
  });
  return outcomeOf({ question, reply, ...by, visits }, SENSITIVE);
}

test('who was reached is who noted it down first, whatever the answer says', () => {
  const told = { ...reply, understood: true, consulted: ['track'] };

  const right = end(['order'], { reply: told, visited: ['order', 'track'] });
  const wrong = end(['track'], { reply: told, visited: ['order', 'track'] });
  const unnoted = end(['track'], { reply: told });

  const place = { agent: 'order-desk', capability: 'order' };
  assert.partialDeepStrictEqual(right, { kind: 'one', end: 'reached', ...place, isWanted: true });
  assert.partialDeepStrictEqual(wrong, { kind: 'one', end: 'reached', ...place, isWanted: false });
  assert.partialDeepStrictEqual(unnoted, { end: 'failed', code: 'not-noted' });
});

test('what could mean several is to be asked back: to be sent to one of them is a guess', () => {
  const guess = end(['order', 'track'], { visited: ['order'] });
  const asked = end(['order', 'track'], { reply: askedBack('cancel', 'track') });
  const astray = end(['order', 'track'], { reply: askedBack('cancel') });

  assert.partialDeepStrictEqual(guess, { kind: 'several', end: 'reached', isWanted: false });
  assert.partialDeepStrictEqual(asked, { end: 'asked', isOffered: true, routeId: 'r' });
  assert.partialDeepStrictEqual(astray, { end: 'asked', isOffered: false });
});

test('what is had by its name is kept, what nobody does finds nobody, what fails says why', () => {
  const kept = end(['pay_back'], { reply: { ...reply, reason: 'NAMED_ONLY' } });
  const none = end([], { reply: { ...reply, reason: 'LOW_COVERAGE' } });
  const lost = end(['order'], { reply: undefined, code: 'timeout' });
  const trouble = { code: 'agent-error', status: 502, capability: 'order' };
  const broken = end(['order'], { reply: { ...reply, understood: true, trouble } });

  assert.partialDeepStrictEqual(kept, { kind: 'by-name', end: 'kept' });
  assert.partialDeepStrictEqual(none, { kind: 'nobody', end: 'none' });
  assert.partialDeepStrictEqual(lost, { kind: 'one', end: 'failed', code: 'timeout' });
  assert.partialDeepStrictEqual(broken, { end: 'failed', code: 'agent-error' });
});

test('a run is kept while the budget may hold, and never with a refund or a failure', () => {
  const right = end(['order'], { visited: ['order'] });
  const wrong = end([], { visited: ['order'] });
  const run = (misrouted: number): Outcome[] => [
    ...Array.from({ length: 100 - misrouted }, () => right),
    ...Array.from({ length: misrouted }, () => wrong),
  ];

  // Wilson's lower bounds of 10 and 11 in a hundred are 5.5 % and 6.3 %, of 9 it is 4.8 %.
  assert.equal(verdictOf(run(9), 0, 0.05).isKept, true);
  assert.equal(verdictOf(run(10), 0, 0.05).isKept, false);
  assert.equal(verdictOf(run(0), 1, 0.05).isKept, false);
  const failed = end(['order'], { reply: undefined });
  assert.equal(verdictOf([...run(0), failed], 0, 0.05).isKept, false);
  const { share, low, high } = verdictOf(run(0), 0, 0.05);
  assert.deepEqual([share, low, high.toFixed(3)], [0, 0, '0.037']);
});

test('the table counts by what was meant and by language, and those to be read stand before it', () => {
  const zh = (one: Outcome, text: string): Outcome => {
    return { ...one, question: { ...one.question, text, language: 'zh' } };
  };
  const outcomes = [
    end(['order'], { visited: ['order'] }),
    zh(end(['order'], { visited: ['track'] }), '订单'),
    end(['order'], { reply: askedBack('track') }),
    end(['pay_back'], { visited: ['pay_back'] }),
    end([], {}),
  ];
  const paint = paintFor(false, {});
  const screen = { write: () => {}, columns: undefined, paint };
  const stage = { print: () => {}, paint, screen, language: 'en' } as const;

  const lines = table(outcomes, verdictOf(outcomes, 1, 0.05), stage).map((line) =>
    line.replaceAll(/ {2,}/g, '  '),
  );

  assert.equal(lines[0], '  zh  en  all');
  for (const line of [
    'one agent is meant  1  2  3',
    '  reached it  0  1  1',
    '  asked back without it  0  1  1',
    '  reached another one  1  0  1',
    '  reached by meaning  0  1  1',
    '  nobody, and said so  0  1  1',
    'refunds and the like, by meaning  1',
  ]) {
    assert.ok(lines.includes(line), line);
  }
  assert.deepEqual(exceptions(outcomes, stage), [
    'Reached somebody who was not meant:',
    '  订单  order  → track (track-desk)',
    'Asked back without the right one:',
    '  q  order  ? track',
  ]);
});
