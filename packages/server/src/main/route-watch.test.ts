import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteDecision, TraceRecord } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { cellOf } from '../telemetry/export.ts';
import { LiveWatch, WATCH_MAX_PER_S } from '../telemetry/live-watch.ts';
import { openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { listen, Reading } from './testing/streams.ts';

const LOOK = { name: 'look', effect: 'read' };

test('a decision is shown as it is made: who was a candidate, who was chosen, why not the others', async () => {
  await using house = await openHouse();
  await house.agent('crm', LOOK, () => json(200, {}));
  await house.agent('crm-staging', LOOK, () => json(200, {}));
  await house.puller('worker', { name: 'print', effect: 'read' });
  await house.ask('POST', '/v1/agents/crm/disable', {});
  const url = await listen(house);
  const all = await Reading.open(`${url}/v1/routes/watch`);
  const prints = await Reading.open(`${url}/v1/routes/watch?pattern=PR*t`);
  await Promise.all([all.more(), prints.more()]);

  await house.during(house.call({ capability: 'look' }), 100);
  await house.ask('POST', '/v1/routes', { capability: 'nothing' });
  await house.ask('POST', '/v1/tasks', { task_type: 'print', payload: {} });
  const task = await prints.event<RouteDecision>('decision');
  while (all.got.length < 3) await all.more();

  const decisions = all.got.map((one) => (one.is === 'event' ? one.data : {}) as RouteDecision);
  assert.deepEqual(
    decisions.map(({ by, outcome, agent }) => [by, outcome, agent]),
    [
      ['call', 'route', 'crm-staging'],
      ['route', 'none', undefined],
      ['task', 'route', 'worker'],
    ],
  );
  const [call, nothing] = decisions;
  assert.deepEqual(
    call?.candidates.map(({ agent, verdict }) => [agent, verdict]),
    [
      ['crm', 'excluded'],
      ['crm-staging', 'chosen'],
    ],
  );
  assert.match(call?.candidates[0]?.reason ?? '', /disabled/);
  assert.ok((call?.candidates[1]?.parts?.reachability ?? 0) > 0);
  assert.match(nothing?.reason ?? '', /nothing/);
  assert.equal(prints.got.length, 1);
  assert.equal(task?.candidates[0]?.verdict, 'chosen');
  all.leave();
  prints.leave();
});

test('a question is shown for what it is: what an intent may mean, or what tags fit', async () => {
  await using house = await openHouse();
  for (const [name, description] of [
    ['order.status', '查询订单状态'],
    ['order.invoice', '查询订单发票'],
  ] as const) {
    await house.agent(name, { name, description, effect: 'read', tags: ['order'] }, () =>
      json(200, {}),
    );
  }
  const url = await listen(house);
  const all = await Reading.open(`${url}/v1/routes/watch`);
  await all.more();

  await house.ask('POST', '/v1/routes', { intent: '订单' });
  await house.ask('POST', '/v1/routes', { tags: ['order'] });
  while (all.got.length < 2) await all.more();

  const decisions = all.got.map((one) => (one.is === 'event' ? one.data : {}) as RouteDecision);
  const [meant = '', tagged = ''] = decisions.map(({ reason }) => reason);
  assert.match(meant, /^The intent could mean order\.\w+, order\.\w+; name the one you mean\.$/);
  assert.match(tagged, /^These tags fit order\.invoice, order\.status; name the one you mean\.$/);
  all.leave();
});

interface News {
  type: 'decision';
  n: number;
}

test('nothing is rendered while nobody looks, nor what nobody looks for', async () => {
  const watch = new LiveWatch<News>(new ManualClock());
  const subject = { tenant: 't', texts: ['look'], agents: () => ['crm'] };
  const render = () => ({ type: 'decision' as const, n: 1 });
  watch.tell(subject, render);
  const gone = new AbortController();
  const pattern = { pattern: 'refund' };
  const readers = [pattern, { agent: 'other' }].map((what) => watch.watch('t', what, gone.signal));
  const waits = readers.map((reader) => reader.next());
  watch.tell(subject, render);
  watch.tell({ ...subject, tenant: 'other', texts: ['refund'] }, render);
  assert.equal(watch.rendered, 0);

  const more = watch.watch('t', { pattern: 'l*k', agent: 'crm' }, gone.signal);
  waits.push(more.next());
  watch.tell(subject, render);

  assert.equal(watch.rendered, 1);
  assert.deepEqual((await waits[2])?.value, { data: { type: 'decision', n: 1 } });
  gone.abort();
  await Promise.all([...waits.slice(0, 2), more.next()]);
  assert.equal(watch.isWatched('t'), false);
});

test('over a hundred a second are counted, and the number is told when the second is over', async () => {
  const clock = new ManualClock();
  const watch = new LiveWatch<News>(clock);
  const gone = new AbortController();
  const reader = watch.watch('t', {}, gone.signal);
  const first = reader.next();
  const subject = { tenant: 't', texts: [], agents: () => [] };
  for (let n = 0; n < WATCH_MAX_PER_S + 7; n++)
    watch.tell(subject, () => ({ type: 'decision', n }));
  await clock.advance(1_000);
  const got = [(await first).value?.data];
  while (got.length < WATCH_MAX_PER_S + 1) got.push((await reader.next()).value?.data);
  watch.tell(subject, () => ({ type: 'decision', n: -1 }));
  got.push((await reader.next()).value?.data);

  assert.deepEqual(got.slice(-2), [
    { type: 'gap', missed: 7 },
    { type: 'decision', n: -1 },
  ]);
  assert.equal(watch.rendered, WATCH_MAX_PER_S + 1);
  gone.abort();
  await reader.next();
  assert.equal(clock.waiting, 0);
});

test('hops are exported page by page, each once, as lines of JSON and as CSV', async () => {
  await using house = await openHouse();
  await house.agent('crm', LOOK, () => json(200, {}));
  const { hops: none } = await house.ask<{ hops: TraceRecord[] }>('GET', '/v1/traces');
  assert.deepEqual(none, []);
  await house.during(house.call({ capability: 'look', agent_id: 'shop' }), 100);
  const { hops } = await house.ask<{ hops: TraceRecord[] }>('GET', '/v1/traces');
  const [hop] = hops;
  assert.ok(hop);
  const at = house.clock.now();
  const many = Array.from({ length: 1_234 }, (_, n) => ({
    ...hop,
    span_id: String(n),
    at: at - Math.floor(n / 100) * 1_000,
    agent_from: n === 0 ? '=cmd()' : 'shop',
  }));
  await house.storage.traces.append(many);

  const lines = (await house.http.inject('/v1/routes/export')).body.trim().split('\n');
  const spans = lines.map((line) => (JSON.parse(line) as TraceRecord).span_id);
  assert.equal(spans.length, 1_235);
  assert.equal(new Set(spans).size, 1_235);

  const csv = await house.http.inject('/v1/routes/export?format=csv&hours=1');
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  const rows = csv.body.trim().split('\r\n');
  assert.equal(rows.length, 1_236);
  assert.match(rows[0] ?? '', /^at,trace_id,/);
  assert.ok(csv.body.includes(",'=cmd(),"));
  const nobody = await house.http.inject('/v1/routes/export?agent=nobody');
  assert.equal(nobody.body, '');
});

test('no cell is a formula, and none ends its row', () => {
  for (const text of ['=1', '+1', '-1', '@a', '\t=1']) assert.equal(cellOf(text)[0], "'", text);
  assert.equal(cellOf('\r=1'), '"\'\r=1"');
  assert.equal(cellOf('a"b,c\n'), '"a""b,c\n"');
  assert.deepEqual([cellOf(-1), cellOf(undefined), cellOf('名')], ['-1', '', '名']);
});
