import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, idsFrom, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Peers } from '../peers/peers.ts';
import { Bus } from '../peers/testing/bus.ts';
import { boardOn } from '../resilience/testing/board.ts';
import type { AgentRows, AgentsStore } from '../storage/spi/agents.ts';
import type { RulesStore } from '../storage/spi/rules.ts';
import { ChangeFeed } from './change-feed.ts';
import { REGISTRY_OPTIONS } from './options.ts';
import type { RegistryPorts } from './ports.ts';
import { keepers } from './keepers.ts';
import { Scores } from './scores.ts';
import { TrendBook } from './trend.ts';
import { refresh } from './sync.ts';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from './testing/builders.ts';

const AT = { tenant: 'internal', agentId: 'crm' };

/** A registry over a store whose answers the test gives, one a look. */
function registry(looks: (() => AgentRows | undefined)[]) {
  const clock = new ManualClock();
  const log = silentLog;
  const came: string[] = [];
  const went: string[] = [];
  const self = { id: 'a', name: 'a', since: 0 };
  const board = boardOn(clock);
  const directory = emptyDirectory();
  const random = seededRandom(1);
  const ids = idsFrom(clock, random);
  const scores = new Scores(clock, board);
  const peers = new Peers({ channel: new Bus().channel(), self, clock, log });
  const ports: RegistryPorts = {
    directory,
    storage: {
      agents: { find: async () => looks.shift()?.() } as Partial<AgentsStore> as AgentsStore,
      rules: {} as RulesStore, // Nobody is fenced here.
    },
    board,
    scores,
    trend: new TrendBook(),
    ...keepers({ directory, scores, clock, random, peers }),
    peers,
    fetch: Object.assign(() => assert.fail('nobody is asked'), { judge: () => assert.fail() }),
    clock,
    random,
    log,
    changes: new ChangeFeed({ directory, clock, random, ids }),
    now: () => clock.now(),
    options: defaultsOf(REGISTRY_OPTIONS),
    arrived: ({ agentId }) => came.push(agentId),
    left: ({ agentId }) => went.push(agentId),
    claimNames: async () => [],
    mayOffer: () => true,
    lint: () => [],
    callTimeoutMaxMs: 60_000,
  };
  return { ports, came, went, looks };
}

const ROWS: AgentRows = { definition: definition('crm'), instances: [instanceRow('crm', 'i1')] };

test('an agent of another gateway comes with its instances, once', async () => {
  const { ports, came } = registry([() => ROWS, () => ROWS]);

  await refresh(AT, ports);
  const entry = await refresh(AT, ports);

  assert.deepEqual([...(entry?.instances.keys() ?? [])], ['i1']);
  assert.equal(ports.directory.offers('internal', 'look_up').length, 1);
  assert.deepEqual(came, ['crm']);
});

test('what is changed here while the store is read is not undone by an older answer', async () => {
  const disabled = instanceRow('crm', 'i1', { intent: 'disabled', intentBy: 'operator' });
  const { ports, looks } = registry([]);
  const [instance] = addAgent(ports.directory, ROWS.definition, ['i1']);
  const entry = ports.directory.agent('internal', 'crm');
  assert.ok(instance && entry);
  looks.push(
    () => {
      // An operator's word is taken in here, between the store's answer and its arrival.
      instance.row = disabled;
      entry.changes += 1;
      return ROWS;
    },
    () => ({ ...ROWS, instances: [disabled] }),
  );

  await refresh(AT, ports);

  assert.equal(instance.row.intent, 'disabled');
  assert.equal(looks.length, 0);
});

test('one who changes all the time is left as he is, and not asked for ever', async () => {
  const { ports, looks } = registry([]);
  addAgent(ports.directory, ROWS.definition, ['i1']);
  const entry = ports.directory.agent('internal', 'crm');
  assert.ok(entry);
  for (let n = 0; n < 9; n++) {
    looks.push(() => {
      entry.changes += 1;
      return undefined;
    });
  }

  await refresh(AT, ports);

  assert.equal(ports.directory.agent('internal', 'crm'), entry);
  assert.equal(looks.length, 4);
});

test('a manifest that changed offers what it says now, and those who wait are told', async () => {
  const next = {
    ...definition('crm', [capability({ name: 'find' })]),
    digest: 'd2',
    manifestVersion: 2,
  };
  const { ports, came } = registry([() => ({ ...ROWS, definition: next })]);
  addAgent(ports.directory, ROWS.definition, ['i1']);

  await refresh(AT, ports);

  assert.equal(ports.directory.offers('internal', 'look_up').length, 0);
  assert.equal(ports.directory.offers('internal', 'find').length, 1);
  assert.deepEqual(came, ['crm']);
});

test('an instance at another address is another one, and what was measured of the old is not its', async () => {
  const moved = instanceRow('crm', 'i1', { addrVersion: 2, baseUrl: 'http://elsewhere' });
  const { ports, came } = registry([() => ({ ...ROWS, instances: [moved] })]);
  addAgent(ports.directory, ROWS.definition, ['i1']);

  const entry = await refresh(AT, ports);

  assert.equal(entry?.instances.get('i1')?.observed, 'new');
  assert.equal(entry?.instances.get('i1')?.row.baseUrl, 'http://elsewhere');
  assert.deepEqual(came, ['crm']);
});

test('a beat that came here meanwhile is not taken back, and no lease gets shorter', async () => {
  const old = instanceRow('crm', 'i1', { lastHeartbeatAt: 500, seq: 6, leaseEndsAt: 45_500 });
  const { ports } = registry([() => ({ ...ROWS, instances: [old] })]);
  const beat = { lastHeartbeatAt: 900, seq: 7, reported: { inflight: 3 } };
  const here = instanceRow('crm', 'i1', { ...beat, leaseEndsAt: 46_000 });
  const [instance] = addAgent(ports.directory, ROWS.definition, [here]);

  await refresh(AT, ports);

  assert.deepEqual(
    { ...beat, leaseEndsAt: 46_000 },
    {
      lastHeartbeatAt: instance?.row.lastHeartbeatAt,
      seq: instance?.row.seq,
      reported: instance?.row.reported,
      leaseEndsAt: instance?.row.leaseEndsAt,
    },
  );
});

test('who left, and who was removed, is gone here as well', async () => {
  const { ports, went } = registry([
    () => ({ ...ROWS, instances: [instanceRow('crm', 'i2')] }),
    () => undefined,
  ]);
  addAgent(ports.directory, ROWS.definition, ['i1', 'i2']);

  const entry = await refresh(AT, ports);
  assert.deepEqual([...(entry?.instances.keys() ?? [])], ['i2']);

  assert.equal(await refresh(AT, ports), undefined);
  assert.equal(ports.directory.offers('internal', 'look_up').length, 0);
  assert.deepEqual(went, ['crm', 'crm']);
});
