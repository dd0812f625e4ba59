import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hop } from '../testing/samples.ts';
import { type Page, withoutColour } from './page.ts';
import { waterfall } from './waterfall.ts';

/** Wide enough for bars of twenty cells where names are these: a cell is 5 ms of 100. */
const page: Page = { width: 120, paint: withoutColour };

const linesOf = (hops: Parameters<typeof waterfall>[0]) => waterfall(hops, page).split('\n');

test('the parts of a hop follow each other in proportion and stand beside it in milliseconds', () => {
  const [head = '', line = ''] = linesOf([hop()]);

  assert.match(line, /^customer-service → orders {2}query_order_status {2,}/);
  assert.match(line, /░░▒▒▒▒████████████▓▓/);
  assert.match(line, / 100 +10 +20 +60 +10 {2}200 exact_match$/);
  assert.match(head, /^HOP .* TOTAL {2}MATCH {2}QUEUE {2}AGENT {2}RETURN {2}STATUS$/);
});

test('a narrow terminal keeps names and bars and leaves out the milliseconds of the parts', () => {
  const [head = '', line = ''] = waterfall([hop()], { ...page, width: 80 }).split('\n');

  assert.match(head, /TOTAL {2}STATUS *$/);
  assert.match(line, /^customer-service → orders {2}query.* 100 {2}200 exact_/);
});

test('a nested call stands under its caller, moved to the right by when it began', () => {
  const child = hop({
    span_id: 'b',
    parent_span_id: 'a',
    at: 1_000_050,
    hop: 2,
    agent_from: 'orders',
    agent_to: 'logistics',
    execute_ms: 20,
    match_ms: 0,
    queue_ms: 0,
    agent_ms: 20,
    return_ms: 0,
  });

  const [, first = '', second = ''] = linesOf([child, hop()]);

  assert.match(first, /^customer-service → orders/);
  assert.match(second, /^└ orders → logistics/);
  const barAt = first.indexOf('░');
  assert.equal(second.slice(barAt, barAt + 20), '          ████      ');
});

test('every attempt of a hop that was tried twice is shown with what became of it', () => {
  const [, line = '', first = '', second = ''] = linesOf([
    hop({
      retry_count: 1,
      attempts: [
        {
          agent: 'orders',
          instance: 'orders-1',
          started_ms: 10,
          ms: 20,
          status: 0,
          code: 'connect-failed',
          executed: 'no',
        },
        {
          agent: 'orders',
          instance: 'orders-2',
          started_ms: 40,
          ms: 50,
          status: 200,
          executed: 'yes',
        },
      ],
    }),
  ]);

  assert.match(line, /200 exact_match/);
  assert.match(
    first,
    /^ {2}attempt 1 {2}orders\/orders-1 .*───.* 20 .*connect-failed, executed no$/,
  );
  assert.match(second, /^ {2}attempt 2 {2}orders\/orders-2 .*──────.* 50 .*200$/);
});

test('a hop that failed before anybody was chosen says so', () => {
  const {
    agent_to: _,
    instance: __,
    ...nobody
  } = hop({
    status_code: 503,
    code: 'no-reachable-agent',
    executed: 'no',
    attempts: [],
    execute_ms: 1,
    match_ms: 1,
    queue_ms: 0,
    agent_ms: 0,
    return_ms: 0,
  });

  const [, line = ''] = linesOf([nobody]);

  assert.match(line, /customer-service → nobody/);
  assert.match(line, /503 no-reachable-agent/);
});

test('a circle of parents, an orphan and a hop of no length are all drawn, once', () => {
  const hops = [
    hop({ span_id: 'a', parent_span_id: 'b', agent_from: 'one' }),
    hop({ span_id: 'b', parent_span_id: 'a', agent_from: 'two' }),
    hop({
      span_id: 'c',
      parent_span_id: 'unknown',
      agent_from: 'three',
      execute_ms: 0,
      agent_ms: 0,
    }),
  ];

  const text = waterfall(hops, page);

  for (const name of ['one', 'two', 'three']) {
    assert.equal(text.split('\n').filter((line) => line.includes(`${name} →`)).length, 1);
  }
});

test('a hop whose fallback answered names both, and each attempt the one that it was at', () => {
  const tried = { agent: 'orders', instance: 'orders-1', started_ms: 10, ms: 20, status: 0 };
  const first = { ...tried, capability: 'query', code: 'connect-failed', executed: 'no' } as const;
  const second = { ...tried, agent: 'cache', capability: 'cached', executed: 'yes' } as const;

  const [, line = '', one = '', two = ''] = linesOf([
    hop({ capability: 'cached', fallback_of: 'query', attempts: [first, second] }),
  ]);

  assert.match(line, / cached .* 200 exact_match fallback of query$/);
  assert.match(one, /attempt 1 {2}orders\/orders-1 {2}query .*connect-failed, executed no$/);
  assert.match(two, /attempt 2 {2}cache\/orders-1 {2}cached /);
});
