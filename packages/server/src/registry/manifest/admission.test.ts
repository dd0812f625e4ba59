import assert from 'node:assert/strict';
import test from 'node:test';
import { admitManifest } from './admission.ts';
import { normaliseManifest } from './normalise.ts';

const SCHEMAS = { input: { type: 'object' }, output: { type: 'object' } };

function admit(capabilities: object[], idempotency: 'writes' | 'all' = 'writes') {
  const body = { name: 'a', capabilities: capabilities.map((c) => ({ ...SCHEMAS, ...c })) };
  return admitManifest(normaliseManifest(body, { callTimeoutMaxMs: 60_000 }).manifest, {
    idempotency,
  });
}

const READ = { name: 'q', description: 'Answers where an order is.', effect: 'read' };

test('a read with a description is admitted without a word', () => {
  assert.deepEqual(admit([READ]), { refusals: [], warnings: [] });
});

test('a declared write without an idempotency strategy is refused', () => {
  for (const effect of ['write', 'idempotent_write']) {
    const { refusals } = admit([
      READ,
      { ...READ, name: 'w', effect, description: 'Cancels a parcel.' },
    ]);

    assert.deepEqual(
      refusals.map(({ pointer }) => pointer),
      ['#/capabilities/1/idempotency'],
    );
    assert.deepEqual(admit([{ ...READ, effect, idempotency: 'gateway' }]).refusals, []);
  }
});

test('an undeclared effect is a warning, and a refusal where all must declare', () => {
  const undeclared = { name: 'q', description: READ.description };

  assert.match(admit([undeclared]).warnings[0] ?? '', /^q declares no effect/);
  assert.deepEqual(
    admit([undeclared], 'all').refusals.map(({ pointer }) => pointer),
    ['#/capabilities/0/effect'],
  );
});

test('faults of a connector point to its only action', () => {
  const body = {
    connector: 'c',
    name: 'crm.write',
    protocol: 'http',
    endpoint: 'internal://x',
    effect: 'write',
  };
  const { manifest } = normaliseManifest(body, { callTimeoutMaxMs: 60_000 });

  const { refusals } = admitManifest(manifest, { idempotency: 'writes' });

  assert.deepEqual(
    refusals.map(({ pointer }) => pointer),
    ['#/idempotency'],
  );
});

test('descriptions that say nothing, and schemas that are not there, are warnings', () => {
  assert.match(
    admit([{ ...READ, description: 'short' }]).warnings[0] ?? '',
    /^q has no description/,
  );
  assert.match(admit([{ ...READ, input: {} }]).warnings[0] ?? '', /^q declares no input schema/);
});

test('descriptions that read alike are a warning, in Chinese and in English', () => {
  const pair = (one: string, other: string) =>
    admit([
      { ...READ, description: one },
      { ...READ, name: 'r', description: other },
    ]).warnings;

  assert.match(
    pair('根据订单号查询订单的实时状态信息', '根据订单号查询订单的实时状态')[0] ?? '',
    /^q and r are described almost alike/,
  );
  assert.match(
    pair(
      'Looks up the state of an order by number',
      'Looks up the state of one order by number',
    )[0] ?? 'none',
    /none|alike/,
  );
  assert.equal(
    pair('Looks up an order by its number.', 'Looks up an order by its number!').length,
    1,
  );
  assert.deepEqual(
    pair('根据订单号查询订单实时状态', '根据快递单号查询物流轨迹并返回预计送达时间'),
    [],
  );
});

test('fifty copies of one description are eight warnings and a count', () => {
  const copies = Array.from({ length: 50 }, (_, i) => ({
    ...READ,
    name: `c${i}`,
    description: 'x y z '.repeat(300),
  }));

  const { warnings } = admit(copies);

  assert.equal(warnings.length, 9);
  assert.equal(warnings.at(-1), 'and 1217 more pairs.');
});
