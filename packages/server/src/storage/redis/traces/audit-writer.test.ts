import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRecord } from '@agent-reach/core';
import { PIECE } from '../arguments.ts';
import type { Engine } from '../engine.ts';
import { AuditWriter } from './audit-writer.ts';

const LINE: AuditRecord = {
  at: 1,
  tenant: 'acme',
  principal: 'shop',
  operation: 'calls.invoke',
  request_id: 'r1',
  outcome: 'ok',
  executed: 'yes',
};

test('where a piece fails the rest of its lines is not sent, and those of others are', async () => {
  const sent: number[] = [];
  const engine = {
    async run(_script: string, words: readonly unknown[]) {
      sent.push(Number(words[3]));
      if (sent.length === 1) throw new Error('the line broke');
      return ['stored'];
    },
  } as unknown as Engine;
  const writer = new AuditWriter(engine);
  const many = Array.from({ length: 2 * PIECE + 1 }, () => LINE);

  const first = assert.rejects(writer.append(many), /the line broke/);
  const other = writer.append([LINE]);
  await Promise.all([first, other]);

  assert.deepEqual(sent, [PIECE, 1]);
});
