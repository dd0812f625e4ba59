import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Peers } from '../../peers/peers.ts';
import type { RulesStore } from '../../storage/spi/rules.ts';
import { openSqlite } from '../../storage/sqlite/open.ts';
import { ClientBook } from './book.ts';
import { clientHandlers } from './handlers.ts';
import type { ClientPorts } from './ports.ts';
import { openVault } from './seal.ts';
import { demandEntrance } from './service.ts';
import { readAll } from './store.ts';

const clock = new ManualClock();
const ops = {
  tenant: 'internal',
  principal: 'ops',
  peer: '',
  headers: {},
  signal: new AbortController().signal,
};

/** A gateway on a store, with a key of its own for secrets. */
function gatewayOn(rules: RulesStore, kek: number): ClientPorts {
  const random = seededRandom(kek);
  const self = { id: `gw-${kek}`, name: 'test', since: 0 };
  return {
    rules,
    book: new ClientBook(),
    vault: async () => openVault(Buffer.alloc(32, kek), random),
    peers: new Peers({ channel: undefined, self, clock, log: silentLog }),
    clock,
    random,
    now: () => clock.now(),
    log: silentLog,
  };
}

const openStore = () =>
  openSqlite({ dir: ':memory:', clock, random: seededRandom(1), log: silentLog });

test('a gateway with another key than the one of the secrets does not start, and says so', async () => {
  await using storage = await openStore();
  const first = gatewayOn(storage.rules, 1);
  await clientHandlers(first)['clients.create']({ kind: 'service', client_id: 'shop' }, ops);
  await demandEntrance(first, () => assert.fail('there is a client already'));
  const second = gatewayOn(storage.rules, 2);
  await readAll(second);

  await assert.rejects(
    demandEntrance(second, () => assert.fail('there is a client already')),
    (error) =>
      ReachError.is(error) && /secrets\.kek\.file holds another key .* of shop/.test(error.message),
  );
});

test('of two gateways that start on an empty store at once one makes the admin', async () => {
  await using storage = await openStore();
  const told: string[] = [];
  const both = [gatewayOn(storage.rules, 1), gatewayOn(storage.rules, 1)];

  await Promise.all(both.map((ports) => demandEntrance(ports, (token) => told.push(token))));

  assert.equal(told.length, 1);
  for (const { book } of both) assert.equal(book.list('internal').length, 1);
});

test('a store whose clients were all removed makes no new admin', async () => {
  await using storage = await openStore();
  const ports = gatewayOn(storage.rules, 1);
  await demandEntrance(ports, () => {});
  await clientHandlers(ports)['clients.remove']({ client_id: 'admin' }, ops);
  const again = gatewayOn(storage.rules, 1);
  await readAll(again);

  await demandEntrance(again, () => assert.fail('whoever could come in once decided otherwise'));
  assert.equal(again.book.list('internal').length, 0);
});
