import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type AgentEvent, type AgentRow, byeText, eventText, rowsHash } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { Reach } from './reach.ts';

const ROW: AgentRow = {
  agent: 'crm',
  instance_id: 'i1',
  capabilities: ['look'],
  state: { manifest_version: 1, observed: 'up', intent: 'enabled', routable: true },
};
const GONE = { ...ROW.state, observed: 'gone', routable: false } as const;

/** A gateway that only streams: each connection is the test's. */
async function openGateway() {
  const connections: { request: IncomingMessage; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 2000\n\n');
    connections.push({ request, response });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    send(id: string, data: AgentEvent) {
      connections.at(-1)?.response.write(eventText({ id, data }));
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function snapshot(rev: string, agents: AgentRow[], confirmed = true): AgentEvent {
  return { type: 'snapshot', rev, hash: rowsHash(agents), confirmed, agents };
}

/** Moves time until something has come over the wire. */
async function until(clock: ManualClock, is: () => boolean): Promise<void> {
  for (let turns = 0; !is(); turns++) {
    assert.ok(turns < 20_000, 'it never came');
    if (clock.waiting > 0) await clock.advance(50);
    else await settled();
  }
}

function watching(endpoint: string[]) {
  const clock = new ManualClock();
  const reach = new Reach({ endpoint }, { clock, random: seededRandom(1) });
  return { clock, reach };
}

test('a watch goes on where it stood when its connection breaks, at whoever is left', async () => {
  const [one, two] = [await openGateway(), await openGateway()];
  const { clock, reach } = watching([one.url, two.url]);
  const gone = new AbortController();
  const updates = reach.agents.watch({ capability: 'look' }, { signal: gone.signal });
  const first = updates.next();
  await until(clock, () => one.connections.length + two.connections.length === 1);
  const [home, other] = one.connections.length === 1 ? [one, two] : [two, one];
  home.send('e.1', snapshot('e.1', [ROW]));
  assert.equal((await first).value?.rows.size, 1);

  const second = updates.next();
  home.connections[0]?.response.end(byeText('stopping', 2_000));
  await until(clock, () => other.connections.length === 1);
  const { headers, url } = other.connections[0]?.request ?? {};
  const { state: _, ...about } = ROW;
  const change = { ...about, old: ROW.state, new: GONE };
  other.send('e.2', { type: 'changes', rev_from: 'e.1', rev_to: 'e.2', changes: [change] });
  const { value } = await second;

  assert.equal(headers?.['last-event-id'], 'e.1');
  assert.equal(url, '/v1/agents/changes?capability=look');
  assert.deepEqual(value?.changes, [change]);
  assert.equal(value?.rows.get('crm/i1')?.state.observed, 'gone');
  gone.abort();
  assert.equal((await updates.next()).done, true);
  await Promise.all([reach.close(), one.close(), two.close()]);
});

test('an empty list is not believed for a minute, then it is', async () => {
  const gateway = await openGateway();
  const { clock, reach } = watching([gateway.url]);
  const updates = reach.agents.watch();
  const first = updates.next();
  await until(clock, () => gateway.connections.length === 1);
  gateway.send('e.1', snapshot('e.1', [ROW]));
  assert.deepEqual((await first).value?.changes.length, 1);

  const second = updates.next();
  gateway.send('f.0', snapshot('f.0', [], false));
  const before = clock.monotonic();
  let isOver = false;
  void second.then(() => (isOver = true));
  await until(clock, () => isOver);
  const { value } = await second;

  assert.ok(clock.monotonic() - before >= 60_000);
  assert.equal(value?.changes[0]?.new, null);
  assert.equal(value?.rows.size, 0);
  await updates.return(undefined);
  await reach.close();
  await gateway.close();
});

test('who disagrees with the hash of a mark begins anew; a refusal at first is thrown', async () => {
  const gateway = await openGateway();
  const { clock, reach } = watching([gateway.url]);
  const updates = reach.agents.watch();
  const first = updates.next();
  await until(clock, () => gateway.connections.length === 1);
  gateway.send('e.1', snapshot('e.1', [ROW]));
  await first;
  const second = updates.next();
  gateway.send('e.1', { type: 'mark', rev: 'e.1', hash: rowsHash([]), confirmed: true });
  await until(clock, () => gateway.connections.length === 2);
  gateway.send('e.1', snapshot('e.1', []));

  assert.equal((await second).value?.rows.size, 0);
  assert.equal(gateway.connections[1]?.request.headers['last-event-id'], undefined);
  await updates.return(undefined);
  await gateway.close();
  await assert.rejects(reach.agents.watch().next(), { code: 'connect-failed' });
  await reach.close();
});
