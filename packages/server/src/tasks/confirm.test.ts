import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NeedsConfirmation, TaskTicket } from '@agent-reach/core';
import { set, three } from '../main/testing/budgets.ts';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { claim, claimOne, task, transfer } from './testing/capabilities.ts';

const sensitive = { ...transfer, sensitive: true };
const work = { task_type: 'transfer', payload: { cents: 5 }, task_id: 't1' };
const WRONG = failsWith('confirmation-invalid');

async function open(capability: object = sensitive): Promise<TestHouse> {
  const house = await openHouse();
  await house.puller('bank', { ...capability });
  return house;
}

function submit(house: TestHouse, more: object = {}): Promise<TaskTicket> {
  return house.ask('POST', '/v1/tasks', { ...work, ...more });
}

async function asked(house: TestHouse, more: object = {}): Promise<NeedsConfirmation> {
  const { status, confirmation } = await submit(house, more);
  assert.equal(status, 'needs_confirmation');
  assert.ok(confirmation !== undefined);
  return confirmation;
}

/** A task of a sensitive capability that was confirmed and stored. */
async function confirmed(house: TestHouse): Promise<void> {
  const { code = '' } = await asked(house);
  assert.equal((await submit(house, { confirmation_code: code })).status, 'queued');
}

test('a sensitive task is stored only with a word, and submitted again it is the same', async () => {
  await using house = await open();
  const { code = '', preview } = await asked(house, { wait: 5 });
  assert.deepEqual([preview.kind, preview.params], ['task', { cents: 5 }]);
  assert.deepEqual(await claim(house, 'bank'), []);
  await assert.rejects(task(house, 't1'), failsWith('task-not-found'));

  const first = await submit(house, { confirmation_code: code });
  const again = await submit(house, { confirmation_code: code });

  assert.deepEqual([first.status, again.status, again.replayed], ['queued', 'queued', true]);
  await claimOne(house, 'bank');
  // What was stored is told from another one by the store, which needs nobody's word.
  const other = submit(house, { payload: { cents: 6 }, confirmation_code: code });
  await assert.rejects(other, failsWith('task-conflict'));
});

test('whoever is sent a confirmed task is told its confirmation', async () => {
  await using house = await openHouse();
  await house.agent('bank', sensitive, () => json(200, {}));
  const { id, code = '' } = await asked(house);

  await submit(house, { confirmation_code: code });
  await house.clock.advance(2_000);

  const [sent] = house.network.calls;
  assert.equal(sent?.headers?.['reach-confirmation'], id);
  assert.equal((await task(house, 't1')).status, 'succeeded');
});

test('the answer of a submission that asks is 202', async () => {
  await using house = await open();
  const payload = JSON.stringify(work);
  const headers = { 'content-type': 'application/json' };
  const wire = { method: 'POST', url: '/v1/tasks', headers, payload } as const;

  assert.equal((await house.http.inject(wire)).statusCode, 202);
});

test('the word for one task covers no other, and none for a call', async () => {
  await using house = await open();
  const { code = '' } = await asked(house);
  const confirmation = { confirmation_code: code };

  await assert.rejects(submit(house, { ...confirmation, payload: { cents: 6 } }), WRONG);
  await assert.rejects(submit(house, { ...confirmation, task_id: 't2' }), WRONG);
  const call = { capability: 'transfer', params: work.payload, idempotency_key: 't1' };
  await assert.rejects(house.call({ ...call, ...confirmation }), WRONG);
  assert.equal((await submit(house, confirmation)).status, 'queued');
});

test('in a bulk each row that needs a word says so, and the others are stored', async () => {
  await using house = await open();
  await house.puller('free', { ...transfer, name: 'note' });
  const note = { task_type: 'note', payload: {} };

  const { tasks } = await house.ask<{ tasks: { ticket?: TaskTicket }[] }>(
    'POST',
    '/v1/tasks/bulk',
    {
      tasks: [note, work, { ...work, task_id: 't2', confirmation_code: 'x' }, note],
    },
  );

  assert.deepEqual(
    tasks.map(({ ticket }) => ticket?.status),
    ['queued', 'needs_confirmation', undefined, 'queued'],
  );
});

test('what became sensitive while it waited is parked, not done', async () => {
  await using house = await openHouse();
  await submit(house);

  await house.puller('bank', sensitive);
  // Bound to whoever registered; when it comes for it, it is asked whether somebody said yes.
  await house.clock.advance(5_000);
  assert.deepEqual(await claim(house, 'bank'), []);

  const parked = await task(house, 't1');
  assert.equal(parked.status, 'dead');
  assert.match(parked.reason ?? '', /^confirmation-invalid: transfer needs a confirmation/);
  await house.ask('POST', '/v1/dead-letters/t1/redrive', {});
  assert.deepEqual(await claim(house, 'bank'), []);
  assert.equal((await task(house, 't1')).status, 'dead');
});

test('the payload of a confirmed task is not edited, and it is run again as it is', async () => {
  await using house = await open();
  await confirmed(house);
  await house.ask('POST', '/v1/tasks/t1/park', { reason: 'looked at' });

  const edit = { payload: { cents: 500 } };
  const conflict = failsWith('task-conflict', ({ message }) => {
    assert.match(message, /was confirmed with the payload/);
  });
  await assert.rejects(house.ask('POST', '/v1/dead-letters/t1/edit', edit), conflict);
  await assert.rejects(house.ask('POST', '/v1/dead-letters/t1/redrive', edit), conflict);

  await house.ask('POST', '/v1/dead-letters/t1/redrive', {});
  assert.deepEqual((await claimOne(house, 'bank')).payload, { cents: 5 });
});

/** So many a day for everybody. */
const budget = (house: TestHouse, limit: number) => set(house, [{ ...three, limit }]);

test('a budget that refuses a task does not cost the word that was given', async () => {
  await using house = await open();
  await budget(house, 1);
  const other = { task_id: 't2' };
  const [first, second] = [await asked(house), await asked(house, other)];
  await submit(house, { ...other, confirmation_code: second.code });

  const refused = submit(house, { confirmation_code: first.code });
  await assert.rejects(refused, failsWith('budget-exhausted'));
  await budget(house, 2);

  assert.equal((await submit(house, { confirmation_code: first.code })).status, 'queued');
});

test('a word that does not count for a task leaves the budget as it was', async () => {
  await using house = await open();
  await budget(house, 1);
  const { id, code = '' } = await asked(house);

  await assert.rejects(submit(house, { confirmation_code: `${id}.wrong` }), WRONG);

  assert.equal((await submit(house, { confirmation_code: code })).status, 'queued');
});
