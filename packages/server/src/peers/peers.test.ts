import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import type { Change } from './changes.ts';
import { Peers } from './peers.ts';
import { Bus } from './testing/bus.ts';

const WORK: Change = { kind: 'work', tenant: 'acme', agentId: 'crm' };
const KEYS = Array.from({ length: 300 }, (_, n) => `acme/crm/${n}`);

/** Gateways on one store. */
function house() {
  const clock = new ManualClock();
  const bus = new Bus();
  const started: Peers[] = [];
  const open = async (id: string) => {
    const channel = bus.channel();
    const self = { id, name: id, since: clock.now() };
    const peers = new Peers({ channel, self, clock, log: silentLog });
    const heard: Change[] = [];
    peers.heard.on((change) => heard.push(change));
    const starting = peers.start();
    await settled();
    await clock.advance(300);
    await starting;
    started.push(peers);
    return { peers, channel, heard };
  };
  return {
    clock,
    bus,
    open,
    async [Symbol.asyncDispose]() {
      for (const peers of started) await peers.stop();
      assert.equal(clock.waiting, 0);
    },
  };
}

function ids({ living }: Peers): string[] {
  return living.map(({ id }) => id);
}

test('gateways know each other as soon as the second has started', async () => {
  await using at = house();
  const one = await at.open('a');
  const two = await at.open('b');

  assert.deepEqual(ids(one.peers), ['a', 'b']);
  assert.deepEqual(ids(two.peers), ['a', 'b']);
  assert.equal(one.peers.isAlone, false);
});

test('what one tells the others hear, soon and in company, and he himself does not', async () => {
  await using at = house();
  const [one, two, three] = [await at.open('a'), await at.open('b'), await at.open('c')];
  const before = at.bus.sent.length;

  one.peers.tell(WORK);
  one.peers.tell(WORK);
  one.peers.tell({ ...WORK, agentId: 'erp' });
  await at.clock.advance(2);

  const told = [WORK, { ...WORK, agentId: 'erp' }];
  assert.deepEqual([one.heard, two.heard, three.heard], [[], told, told]);
  assert.equal(at.bus.sent.length, before + 1);
});

test('a gateway that is alone sends nothing but that it is there', async () => {
  await using at = house();
  const { peers } = await at.open('a');
  const before = at.bus.sent.length;

  peers.tell(WORK);
  await at.clock.advance(500);

  assert.equal(at.bus.sent.length, before);
  assert.equal(peers.isAlone, true);
});

test('every key is one gateway’s, and each has a share', async () => {
  await using at = house();
  const all = [await at.open('a'), await at.open('b'), await at.open('c')];

  for (const key of KEYS) {
    assert.equal(all.filter(({ peers }) => peers.isMine(key)).length, 1, key);
  }
  for (const { peers } of all) {
    assert.ok(KEYS.filter((key) => peers.isMine(key)).length > KEYS.length / 6);
  }
});

test('one that falls silent is missed within four seconds, and only its own part moves', async () => {
  await using at = house();
  const [one, two, three] = [await at.open('a'), await at.open('b'), await at.open('c')];
  const before = KEYS.filter((key) => one.peers.isMine(key));

  at.bus.cut(three.channel);
  await at.clock.advance(2_900);
  assert.deepEqual(ids(one.peers), ['a', 'b', 'c']);
  await at.clock.advance(2_000);

  assert.deepEqual(ids(one.peers), ['a', 'b']);
  assert.ok(before.every((key) => one.peers.isMine(key)));
  for (const key of KEYS) assert.notEqual(one.peers.isMine(key), two.peers.isMine(key), key);
});

test('one that is cut off does everything itself, and is told that it missed something', async () => {
  await using at = house();
  const [one, two] = [await at.open('a'), await at.open('b')];
  let missed = 0;
  two.peers.missed.on(() => (missed += 1));

  at.bus.cut(two.channel);
  await at.clock.advance(5_000);
  assert.ok(KEYS.every((key) => two.peers.isMine(key) && one.peers.isMine(key)));

  at.bus.mend(two.channel);
  await at.clock.advance(10);
  assert.equal(missed, 1);
  assert.deepEqual(ids(one.peers), ['a', 'b']);
});

test('one that withdraws leaves its part at once, and goes on telling what it knows', async () => {
  await using at = house();
  const [one, two] = [await at.open('a'), await at.open('b')];

  two.peers.withdraw();
  await at.clock.advance(10);
  two.peers.tell(WORK);
  await at.clock.advance(1_500);

  assert.deepEqual(ids(one.peers), ['a']);
  assert.ok(KEYS.every((key) => one.peers.isMine(key) && !two.peers.isMine(key)));
  assert.deepEqual(one.heard, [WORK]);
});

test('one that is cut off on its way out is not taken for living when its line comes back', async () => {
  await using at = house();
  const [one, two] = [await at.open('a'), await at.open('b')];
  two.peers.withdraw();
  await at.clock.advance(10);

  at.bus.cut(two.channel);
  at.bus.mend(two.channel);
  await settled();

  assert.deepEqual(ids(one.peers), ['a']);
});

test('a listener that throws keeps nobody from hearing', async () => {
  await using at = house();
  const [one, two] = [await at.open('a'), await at.open('b')];
  const heard: Change[] = [];
  two.peers.heard.on(() => {
    throw new Error('broken');
  });
  two.peers.heard.on((change) => heard.push(change));

  one.peers.tell(WORK);
  await at.clock.advance(2);

  assert.deepEqual(heard, [WORK]);
});

test('where there can be no others nothing is said and nothing is waited for', async () => {
  const clock = new ManualClock();
  const self = { id: 'a', name: 'a', since: 0 };
  const peers = new Peers({ channel: undefined, self, clock, log: silentLog });

  await peers.start();
  peers.tell(WORK);

  assert.equal(peers.isPossible, false);
  assert.ok(peers.isMine('anything'));
  assert.equal(clock.waiting, 0);
  await peers.stop();
});
