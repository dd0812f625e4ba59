import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '@agent-reach/core/testing';
import { TEXT_BYTES_MAX } from '../storage/spi/shared.ts';
import { type Change, markOf, type Message, read, write } from './changes.ts';

const SELF = { id: 'gw_1', name: '网关 1', since: 1_800_000_000_000 };
const AT = { tenant: 'a', agentId: 'b', instanceId: 'c', addrVersion: 2 };
const CHANGES: Change[] = [
  { kind: 'agent', tenant: 'acme', agentId: 'crm' },
  { kind: 'rule', tenant: 'acme', name: 'weights' },
  { kind: 'work', tenant: 'acme', agentId: 'crm' },
  { kind: 'task', tenant: 'acme', taskId: 'tsk_1', epoch: 3 },
  { kind: 'probe', tenant: 'a', agentId: 'b', instanceId: 'c', addrVersion: 2, rttMs: 0.5 },
  { kind: 'probe', tenant: 'a', agentId: 'b', instanceId: 'c', addrVersion: 2, detail: '拒绝' },
  { kind: 'probe', ...AT, by: 'gw_1', losingMs: 500, detail: 'lost', isVerdict: true },
  { kind: 'probe', ...AT, by: 'gw_1', rttMs: 2, isAsked: true },
  { kind: 'look', ...AT, of: 'gw_2 gw_3' },
  { kind: 'vouch', ...AT, agoMs: 1_200 },
];

function onWire(changes: readonly Change[], word: Message['word'] = 'here') {
  return write({ from: SELF, word, changes });
}

test('what is written is read, in order, whatever it is', () => {
  const [text = ''] = onWire(CHANGES, 'hello');

  assert.deepEqual(read(text), { from: SELF, word: 'hello', changes: CHANGES });
});

test('a message without changes is one text', () => {
  assert.deepEqual(onWire([]).map(read), [{ from: SELF, word: 'here', changes: [] }]);
});

test('a change that is told twice in company is written once', () => {
  const [work] = CHANGES;
  assert.ok(work);

  assert.deepEqual(
    onWire([work, { ...work }]).flatMap((text) => read(text)?.changes),
    [work],
  );
});

test('however many there are, no text is longer than may be sent, and none is lost', (t) => {
  const name = fc.string({ maxLength: 300, unit: 'binary' });
  const change: fc.Arbitrary<Change> = fc
    .tuple(name, name)
    .map(([tenant, agentId]) => ({ kind: 'agent', tenant, agentId }));
  const property = fc.property(
    fc.uniqueArray(change, { selector: (c) => JSON.stringify(c) }),
    (all) => {
      const texts = onWire(all);
      for (const text of texts) assert.ok(Buffer.byteLength(text) <= TEXT_BYTES_MAX);
      assert.deepEqual(
        texts.flatMap((text) => read(text)?.changes),
        all,
      );
    },
  );

  fc.assert(property, { seed: testRandom((line) => t.diagnostic(line)).seed });
});

test('a change that no text can hold is left out, and its neighbours are not', () => {
  const [agent] = CHANGES;
  assert.ok(agent);
  const huge: Change = { kind: 'work', tenant: 'x'.repeat(TEXT_BYTES_MAX), agentId: 'y' };

  assert.deepEqual(
    onWire([huge, agent]).flatMap((text) => read(text)?.changes),
    [agent],
  );
});

test('what is none of ours, or of another form, is not read', () => {
  const [text = ''] = onWire(CHANGES);
  for (const other of ['', '{', 'null', '[]', '7', '{}', text.replace('"v":1', '"v":2')]) {
    assert.equal(read(other), undefined, other);
  }
  for (const [from, to] of [
    ['"here"', '"shout"'],
    ['"gw_1"', '7'],
    ['1800000000000', '"then"'],
  ] as const) {
    assert.equal(read(text.replace(from, to)), undefined, to);
  }
});

test('of a newer release’s message the known changes are read, and the broken ones are not', () => {
  const [agent] = CHANGES;
  const said = [
    { kind: 'vote', tenant: 'acme' },
    { kind: 'constructor' },
    { kind: 'agent', tenant: 'acme' },
    { kind: 'task', tenant: 'acme', taskId: 't' },
    { kind: 'probe', tenant: 'a', agentId: 'b', instanceId: 'c', addrVersion: 'x' },
    { kind: 'probe', ...AT, losingMs: -1 },
    { kind: 'look', ...AT },
    { kind: 'vouch', ...AT },
    { kind: 'vouch', ...AT, agoMs: 'soon' },
    7,
    null,
    agent,
  ];
  const text = JSON.stringify({ v: 1, from: SELF, word: 'here', changes: said, more: true });

  assert.deepEqual(read(text)?.changes, [agent]);
});

test('a gateway knows its own texts without reading them', () => {
  const isOwn = markOf(SELF);
  const other = { ...SELF, id: 'gw_10' };

  for (const word of ['hello', 'here', 'bye'] as const) {
    assert.ok(onWire(CHANGES, word).every(isOwn));
    assert.ok(!write({ from: other, word, changes: [] }).some(isOwn));
  }
});
