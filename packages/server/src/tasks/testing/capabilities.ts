import type { Delivery, TaskTicket, TaskView } from '@agent-reach/core';
import { type Log, silentLog } from '@agent-reach/core/kernel';
import { openHouse, type TestHouse } from '../../main/testing/house.ts';

/** A read with schemas on both sides. */
export const query = {
  name: 'query',
  description: 'Runs a query.',
  effect: 'read',
  input_schema: {
    type: 'object',
    properties: { sql: { type: 'string' } },
    required: ['sql'],
  },
  output_schema: {
    type: 'object',
    properties: { rows: { type: 'array' } },
    required: ['rows'],
  },
};

/** A plain write. */
export const transfer = {
  name: 'transfer',
  sensitive: false,
  description: 'Moves money.',
  effect: 'write',
  idempotency: 'gateway',
};

export const payload = { sql: 'SELECT 1' };
export const rows = { rows: [[1]] };

/** A house with one agent, `sql`, that comes for queries. */
export async function openWithPuller(
  flags: Record<string, unknown> = {},
  log: Log = silentLog,
): Promise<TestHouse> {
  const house = await openHouse(flags, log);
  await house.puller('sql', query);
  return house;
}

/** Submits a query, with more or other fields. */
export function submit(house: TestHouse, more: Record<string, unknown> = {}): Promise<TaskTicket> {
  return house.ask('POST', '/v1/tasks', { task_type: 'query', payload, ...more });
}

/** Claims for an agent. */
export async function claim(
  house: TestHouse,
  agent: string,
  more: Record<string, unknown> = {},
): Promise<Delivery[]> {
  const body = { agent_id: agent, ...more };
  return (await house.ask<{ tasks: Delivery[] }>('POST', '/v1/tasks/claim', body)).tasks;
}

/** Claims exactly one task. */
export async function claimOne(house: TestHouse, agent: string): Promise<Delivery> {
  const [delivery, ...others] = await claim(house, agent);
  if (delivery === undefined || others.length > 0) throw new Error('not exactly one task');
  return delivery;
}

/** What a holder says of a delivery. */
export function say<T = Record<string, unknown>>(
  house: TestHouse,
  { task_id: taskId, lease }: Pick<Delivery, 'task_id' | 'lease'>,
  word: string,
  more: Record<string, unknown> = {},
): Promise<T> {
  return house.ask('POST', `/v1/tasks/${taskId}/${word}`, { lease, ...more });
}

/** A task as it stands. */
export function task(house: TestHouse, taskId: string): Promise<TaskView> {
  return house.ask('GET', `/v1/tasks/${taskId}`);
}
