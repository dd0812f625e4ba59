import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { authenticateOpen } from './authenticate.ts';

test('in open mode a request is who it says, or anonymous', () => {
  assert.deepEqual(authenticateOpen({ agentId: 'shop', tenants: [] }), {
    tenant: 'internal',
    principal: 'shop',
  });
  for (const agentId of [undefined, '', 5, null, {}]) {
    assert.equal(authenticateOpen({ agentId, tenants: [] }).principal, 'anonymous');
  }
});

test('in open mode there is one tenant, and naming it is fine', () => {
  assert.equal(authenticateOpen({ tenants: [undefined, 'internal'] }).tenant, 'internal');
});

test('another tenant is refused and not silently moved', () => {
  for (const tenant of ['other', '', 'INTERNAL', 5, null, {}, 'x'.repeat(10_000)]) {
    assert.throws(
      () => authenticateOpen({ tenants: ['internal', tenant] }),
      (error) => {
        assert.ok(ReachError.is(error));
        assert.equal(error.code, 'tenant-mismatch');
        assert.ok(error.message.length < 200);
        assert.doesNotMatch(error.message, /\[object/);
        return true;
      },
    );
  }
});
