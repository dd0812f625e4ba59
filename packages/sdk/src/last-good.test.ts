import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentRow, AgentSnapshot } from '@agent-reach/core';
import { HOLD_MS, hasShrunk, LastGood } from './last-good.ts';

function row(id: string, capability = 'look'): AgentRow {
  const state = { manifest_version: 1, observed: 'up', intent: 'enabled', routable: true } as const;
  return { agent: 'crm', instance_id: id, capabilities: [capability], state };
}

function snapshot(ids: string[], confirmed = false): AgentSnapshot {
  const agents = ids.map((id) => row(id));
  return { type: 'snapshot', rev: 'e.1', hash: '', confirmed, agents };
}

const shown = (good: LastGood) => [...good.rows.values()].map((one) => one.instance_id);

test('more than half missing is doubted, half is not; one capability that is gone is enough', () => {
  const rows = (...ids: string[]) => new Map(ids.map((id) => [id, row(id)]));
  const two = new Map([...rows('a', 'b', 'c', 'd'), ['x', row('x', 'refund')] as const]);

  assert.equal(hasShrunk(rows('a', 'b', 'c', 'd'), rows('a', 'b')), false);
  assert.equal(hasShrunk(rows('a', 'b', 'c', 'd'), rows('a')), true);
  assert.equal(hasShrunk(rows('a'), rows()), true);
  assert.equal(hasShrunk(rows(), rows()), false);
  assert.equal(hasShrunk(two, rows('a', 'b', 'c', 'd')), true);
});

test('an empty snapshot is kept back, and the last good one shown', () => {
  const good = new LastGood();
  assert.equal(good.snapshot(snapshot(['a', 'b']), 0).length, 2);

  assert.deepEqual(good.snapshot(snapshot([]), 1_000), []);

  assert.deepEqual(shown(good), ['a', 'b']);
  assert.equal(good.heldUntil, 1_000 + HOLD_MS);
  assert.deepEqual(good.snapshot(snapshot([]), 5_000), []);
  assert.equal(good.heldUntil, 1_000 + HOLD_MS);
  assert.deepEqual(
    good.believe().map((change) => [change.instance_id, change.new]),
    [
      ['a', null],
      ['b', null],
    ],
  );
});

test('what the gateway vouches for is believed at once, and so is the first word', () => {
  const good = new LastGood();
  assert.deepEqual(good.snapshot(snapshot([]), 0), []);
  good.snapshot(snapshot(['a', 'b']), 0);

  assert.equal(good.snapshot(snapshot([], true), 0).length, 2);

  assert.deepEqual(shown(good), []);
  assert.equal(good.heldUntil, undefined);
});

test('a gateway whose agents come back is believed again when enough have', () => {
  const good = new LastGood();
  good.snapshot(snapshot(['a', 'b', 'c', 'd']), 0);
  good.snapshot(snapshot([]), 0);
  const { state, ...about } = row('a');
  const came = (id: string) => [{ ...about, instance_id: id, old: null, new: state }];

  assert.deepEqual(good.changes(came('a')), []);
  assert.deepEqual(shown(good), ['a', 'b', 'c', 'd']);
  const changes = good.changes(came('b'));

  assert.deepEqual(
    changes.map((change) => [change.instance_id, change.new === null]),
    [
      ['c', true],
      ['d', true],
    ],
  );
  assert.deepEqual(shown(good), ['a', 'b']);
});
