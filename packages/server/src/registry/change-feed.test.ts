import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsHash } from '@agent-reach/core';
import { LINE_CHANGES_MAX } from './change-line.ts';
import type { Instance } from './directory.ts';
import { addAgent, capability, definition, instanceRow } from './testing/builders.ts';
import { openFeed, Reader, TENANT } from './testing/readers.ts';

type Feed = Awaited<ReturnType<typeof openFeed>>;

function become({ directory }: Feed, instance: Instance | undefined, to: Instance['observed']) {
  assert.ok(instance);
  instance.observed = to;
  directory.touch(instance.row);
}

const crm = (names: string[] = ['look_up']) =>
  definition(
    'crm',
    names.map((name) => capability({ name })),
  );

test('a reader gets all that there is, then what changes, old and new', async () => {
  const house = await openFeed();
  const [one] = addAgent(house.directory, crm(), ['i1', 'i2']);
  const reader = await new Reader(house.feed).follow();

  become(house, one, 'unreachable');
  await house.clock.advance(0);

  const [snapshot, changes] = reader.events.map(({ data }) => data);
  assert.ok(snapshot?.type === 'snapshot' && changes?.type === 'changes');
  assert.deepEqual(
    snapshot.agents.map(({ agent, instance_id: id }) => [agent, id]),
    [
      ['crm', undefined],
      ['crm', 'i1'],
      ['crm', 'i2'],
    ],
  );
  assert.equal(snapshot.hash, rowsHash(snapshot.agents));
  assert.equal(changes.rev_from, snapshot.rev);
  assert.equal(changes.rev_to, reader.lastId);
  assert.deepEqual(changes.changes, [
    {
      agent: 'crm',
      instance_id: 'i1',
      capabilities: ['look_up'],
      addr_version: 'e.1',
      base_url: 'http://i1',
      old: { manifest_version: 1, observed: 'up', intent: 'enabled', routable: true },
      new: { manifest_version: 1, observed: 'unreachable', intent: 'enabled', routable: false },
    },
  ]);
  await house.feed.stop();
  assert.equal(house.clock.waiting, 0);
});

test('within a window an instance has its first old and its last new; a flap costs nothing', async () => {
  const house = await openFeed();
  const [one, two, three] = addAgent(house.directory, crm(), ['i1', 'i2', 'i3']);
  const reader = await new Reader(house.feed).follow();
  become(house, three, 'degraded');
  await house.clock.advance(0);

  become(house, one, 'suspect');
  become(house, two, 'suspect');
  await house.clock.advance(100);
  become(house, one, 'unreachable');
  become(house, two, 'up');
  await house.clock.advance(149);
  assert.equal(reader.changes.length, 1);
  await house.clock.advance(1);

  assert.deepEqual(reader.changes, ['crm/i3 up→degraded', 'crm/i1 up→unreachable']);
});

test('going down waits for no longer than the window, whatever else goes on', async () => {
  const house = await openFeed();
  const [one, busy] = addAgent(house.directory, crm(), ['i1', 'busy']);
  const reader = await new Reader(house.feed).follow();
  become(house, busy, 'degraded');
  await house.clock.advance(0);

  house.directory.leave(TENANT, 'crm', one?.row.instanceId ?? '');
  for (let ms = 0; ms < 250; ms += 10) {
    become(house, busy, ms % 20 === 0 ? 'up' : 'degraded');
    await house.clock.advance(10);
  }

  assert.ok(reader.changes.includes('crm/i1 up→-'), reader.changes.join());
});

test('a definition that changes is told, and who loses interest in it sees it go', async () => {
  const house = await openFeed();
  addAgent(house.directory, crm(['look_up', 'refund']), ['i1']);
  const all = await new Reader(house.feed).follow();
  const refunds = await new Reader(house.feed, { capability: 'refund' }).follow();
  const others = await new Reader(house.feed, { agent: 'other' }).follow();

  house.directory.define({ ...crm(['look_up']), manifestVersion: 2 });
  await house.clock.advance(0);

  assert.deepEqual(all.changes, ['crm/ -→-', 'crm/i1 up→up']);
  assert.deepEqual(refunds.changes, ['crm/ -→-', 'crm/i1 up→-']);
  assert.deepEqual([...refunds.rows().keys()], []);
  assert.deepEqual(others.kinds, ['snapshot']);
});

test('a reader that comes again gets exactly what it missed, and nothing twice', async () => {
  const house = await openFeed();
  const instances = addAgent(house.directory, crm(), ['i1', 'i2', 'i3']);
  const reader = await new Reader(house.feed).follow();
  become(house, instances[0], 'suspect');
  await house.clock.advance(0);
  await reader.leave();
  become(house, instances[1], 'suspect');
  await house.clock.advance(250);
  become(house, instances[2], 'gone');
  await house.clock.advance(250);

  const again = await new Reader(house.feed, {}, reader.lastId).follow();
  become(house, instances[0], 'up');
  await house.clock.advance(250);

  assert.deepEqual(again.kinds, ['changes', 'changes', 'changes']);
  assert.deepEqual(again.changes, ['crm/i2 up→suspect', 'crm/i3 up→gone', 'crm/i1 suspect→up']);
  const first = again.events[0]?.data;
  assert.equal(first?.type === 'changes' && first.rev_from, reader.lastId);
});

test('an id of before a restart, of nobody, or too old for the ring is answered with a snapshot', async () => {
  const house = await openFeed();
  const [one] = addAgent(house.directory, crm(), ['i1']);
  const reader = await new Reader(house.feed).follow();
  const old = reader.lastId;
  const ids = ['chg_0.0', `${old}0000`, 'nonsense', `${old.split('.')[0]}.-1`];
  for (const id of ids) {
    const again = await new Reader(house.feed, {}, id).follow();
    await house.clock.advance(5_000);
    assert.deepEqual(again.kinds, ['resync', 'snapshot'], id);
    await again.leave();
  }

  become(house, one, 'suspect');
  await house.clock.advance(600_001);
  become(house, one, 'up');
  await house.clock.advance(0);
  const late = await new Reader(house.feed, {}, old).follow();
  await house.clock.advance(5_000);

  assert.deepEqual(late.kinds.slice(0, 2), ['resync', 'snapshot']);
});

test('a slow reader costs a bounded line, then a resync, and what changes meanwhile is in its snapshot', async () => {
  const house = await openFeed();
  const rows = Array.from({ length: LINE_CHANGES_MAX / 2 }, (_, n) => instanceRow('crm', `i${n}`));
  const instances = addAgent(house.directory, crm(), rows);
  const slow = new Reader(house.feed);
  await slow.next();
  const changes = house.feed.of(TENANT);
  const most: number[] = [];
  for (const to of ['suspect', 'up', 'unreachable', 'up', 'gone'] as const) {
    for (const instance of instances) become(house, instance, to);
    await house.clock.advance(250);
    most.push(...(changes?.waiting() ?? []));
  }

  assert.equal(Math.max(...most), LINE_CHANGES_MAX);
  assert.equal(most.at(-1), 0);
  await slow.follow();
  await house.clock.advance(5_000);
  assert.deepEqual(slow.kinds, ['snapshot', 'resync', 'snapshot']);
  assert.equal(slow.rows().get('crm/i0')?.state.observed, 'gone');
});

test('a mark tells where a reader should stand, and finds a change that nobody told of', async () => {
  const house = await openFeed();
  const [one] = addAgent(house.directory, crm(), ['i1']);
  const reader = await new Reader(house.feed).follow();
  assert.ok(one);
  one.observed = 'gone'; // And nobody is told.

  await house.clock.advance(75_000);

  const mark = reader.events.map(({ data }) => data).find((data) => data.type === 'mark');
  assert.deepEqual(reader.changes, ['crm/i1 up→gone']);
  assert.equal(mark?.hash, rowsHash(reader.rows().values()));
  assert.equal(mark?.rev, reader.lastId);
});

test('nobody is vouched for before the gateway has run for a minute', async () => {
  const house = await openFeed();
  const confirmed = async () => {
    const event = await new Reader(house.feed).next();
    return event?.type === 'snapshot' && event.confirmed;
  };

  await house.clock.advance(59_999);
  assert.equal(await confirmed(), false);
  await house.clock.advance(1);
  assert.equal(await confirmed(), true);
});

test('a tenant sees nothing of another; without readers for ten minutes nothing is kept', async () => {
  const house = await openFeed();
  const ours = await new Reader(house.feed).follow();
  const theirs = await new Reader(house.feed, {}, undefined, 'acme').follow();

  addAgent(house.directory, crm(), ['i1']);
  await house.clock.advance(250);

  assert.ok(ours.changes.length > 0);
  assert.deepEqual(theirs.kinds, ['snapshot']);
  assert.equal(theirs.rows().size, 0);
  await theirs.leave();
  await house.clock.advance(599_999);
  assert.ok(house.feed.of('acme') !== undefined);
  await house.clock.advance(1);
  assert.equal(house.feed.of('acme'), undefined);
  assert.ok(house.feed.of(TENANT) !== undefined);
});

/** Sixty instances restart one after the other; answers how many messages a hundred readers got. */
async function rolling(overMs: number, capabilities: number): Promise<number> {
  const house = await openFeed();
  const fleet = Array.from({ length: 60 }, (_, n) => {
    const name = `ability_${n % 10}`;
    return { id: `a${n}`, row: definition(`a${n}`, [capability({ name })]) };
  });
  for (const { id, row } of fleet) addAgent(house.directory, row, [`${id}-1`]);
  const readers: Reader[] = [];
  for (let n = 0; n < 100; n++) {
    const interest = capabilities === 0 ? {} : { capability: `ability_${n % capabilities}` };
    readers.push(await new Reader(house.feed, interest).follow());
  }
  const stepMs = overMs / fleet.length / 2;
  for (const { id } of fleet) {
    const entry = house.directory.agent(TENANT, id);
    house.directory.leave(TENANT, id, `${id}-1`);
    await house.clock.advance(stepMs);
    assert.ok(entry);
    house.directory.join(entry, instanceRow(id, `${id}-1`, { addrVersion: 2 })).observed = 'up';
    await house.clock.advance(stepMs);
  }
  await house.clock.advance(1_000);
  const pushes = house.feed.of(TENANT)?.pushes ?? 0;
  for (const reader of readers.slice(0, 10)) {
    const wanted = [...reader.rows().values()].filter((row) => row.instance_id !== undefined);
    assert.ok(wanted.every((row) => row.addr_version === 'e.2' && row.state.observed === 'up'));
  }
  await house.feed.stop();
  return pushes;
}

test('sixty instances that restart at once cost a hundred readers a tenth of the messages', async (t) => {
  const naive = 60 * 2 * 100;
  const told = async (overMs: number, capabilities: number, sharePermille: number) => {
    const pushes = await rolling(overMs, capabilities);
    const what = capabilities === 0 ? 'of everything' : 'of one capability of ten';
    const less = Math.round((1 - pushes / naive) * 1000) / 10;
    t.diagnostic(
      `restart over ${overMs / 1000} s, readers ${what}: ${pushes} of ${naive} (-${less} %)`,
    );
    assert.ok(pushes <= (naive * sharePermille) / 1000, String(pushes));
  };

  await told(2_000, 0, 100);
  await told(10_000, 0, 300);
  await told(30_000, 0, 560);
  await told(2_000, 10, 100);
  await told(30_000, 10, 100);
});
