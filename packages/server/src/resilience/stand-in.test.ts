import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoStandIn } from './stand-in.ts';

test('none of several who offer what was asked for may be outdone', () => {
  const set = { effect: 'idempotent_write', sensitive: false } as const;

  assert.equal(whyNoStandIn(set, ['write', 'idempotent_write']), undefined);
  assert.match(whyNoStandIn(set, ['write', 'read']) ?? '', /is idempotent_write, .* is read/);
  assert.match(whyNoStandIn(set, ['idempotent_write', 'undeclared']) ?? '', /declares no effect/);
  assert.equal(whyNoStandIn({ effect: 'read', sensitive: false }, ['write', 'read']), undefined);
});

test('what is sensitive stands in for nothing, and for what nobody offers only a read does', () => {
  assert.match(whyNoStandIn({ effect: 'read', sensitive: true }, ['write']) ?? '', /sensitive/);
  assert.equal(whyNoStandIn({ effect: 'read', sensitive: false }, []), undefined);
  assert.match(whyNoStandIn({ sensitive: false }, []) ?? '', /nobody offers what was asked for/);
});
