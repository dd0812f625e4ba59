import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { TrendBook } from './trend.ts';

const MINUTE = 60_000;

test('a day of minutes is kept, with gaps where nothing was noted', () => {
  const book = new TrendBook();
  for (let minute = 0; minute < 2_000; minute++) {
    if (minute % 3 !== 0) book.note('a', minute * MINUTE, (minute % 1_000) / 1_000);
  }
  const now = 1_999 * MINUTE + 59_999;

  const day = book.last('a', 1_440, now);

  assert.equal(day.length, 1_440);
  assert.deepEqual(day.slice(-4), [0.996, 0.997, null, 0.999]);
  assert.equal(day[0], 0.56, 'the oldest is of minute 560');
  assert.deepEqual(book.last('a', 3, now + 2 * MINUTE), [0.999, null, null]);
  assert.deepEqual(book.last('nobody', 2, now), [null, null]);
});

test('the last score of a minute stays, a long silence is a gap, and a clock set back changes nothing', () => {
  const book = new TrendBook();
  book.note('a', 10 * MINUTE, 0.4);
  book.note('a', 10 * MINUTE + 30_000, 0.6);
  book.note('a', 9 * MINUTE, 0.1);
  assert.deepEqual(book.last('a', 2, 10 * MINUTE), [null, 0.6]);

  book.note('a', 5_000 * MINUTE, 1);

  const day = book.last('a', 1_440, 5_000 * MINUTE);
  assert.equal(day.filter((score) => score !== null).length, 1);
});

test('past the most that are kept a newcomer takes the place of a quiet one, and of no other', () => {
  const book = new TrendBook(2);
  const at = (minute: number, ...keys: string[]) => {
    for (const key of keys) book.note(key, minute * MINUTE, 0.5);
  };
  at(1, 'a', 'b', 'c');
  at(2, 'a', 'b', 'c');
  assert.deepEqual(book.last('a', 2, 2 * MINUTE), [0.5, 0.5]);
  assert.deepEqual(book.last('b', 2, 2 * MINUTE), [0.5, 0.5]);
  assert.deepEqual(book.last('c', 2, 2 * MINUTE), [null, null]);

  at(3, 'b', 'c');
  at(4, 'b', 'c');

  assert.deepEqual(book.last('a', 4, 4 * MINUTE), [null, null, null, null]);
  assert.deepEqual(book.last('c', 2, 4 * MINUTE), [null, 0.5]);
});

test('the trend is served by the agent’s name, at the address with and without /api', async () => {
  await using house = await openHouse({ 'probe.edge': '1s' });
  await house.agent('a', { name: 'look_up', effect: 'read' }, () => json(200, {}));
  const beat = async (minutes: number) => {
    for (let i = 0; i < minutes * 2; i++) {
      await house.clock.advance(30_000);
      await house.ask('POST', '/v1/agents/a/heartbeat', {});
    }
  };
  await beat(3);
  house.network.at('http://a', undefined);
  await beat(2);

  const url = '/api/v1/reachability/trend?agent_name=a&minutes=6';
  const { instances, ...head } = await house.ask<Output<'agents.reachability'>>('GET', url);

  assert.deepEqual(head, {
    agent_name: 'a',
    every_ms: MINUTE,
    until: '2026-01-01T00:05:00.000Z',
  });
  assert.deepEqual(instances[0]?.scores, [null, 1, 1, 1, 0, 0]);
  assert.equal(instances[0]?.observed, 'unreachable');
  assert.equal(instances[0]?.reachability.score, 0);
  const hour = await house.ask<Output<'agents.reachability'>>(
    'GET',
    '/v1/reachability/trend?agent_name=a',
  );
  assert.equal(hour.instances[0]?.scores.length, 60);
  await assert.rejects(
    house.ask('GET', '/v1/reachability/trend?agent_name=nobody'),
    failsWith('agent-not-found'),
  );
});
