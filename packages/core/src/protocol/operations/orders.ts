import Type from 'typebox';
import { AgentId, CapabilityName } from '../names.ts';
import { TaskId } from '../task.ts';
import { TASK_STATES } from '../task-states.ts';
import { operations } from './operation.ts';

const Place = Type.Object({
  task_id: TaskId,
  task_type: CapabilityName,
  status: Type.Enum([...TASK_STATES]),
  order_seq: Type.Optional(Type.Integer()),
  cause: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  agent: Type.Optional(AgentId),
  holder: Type.Optional(Type.String()),
  since: Type.String({ description: 'When it came to stand as it does.' }),
});

export const ORDER_OPERATIONS = operations({
  'orders.get': {
    summary: 'The ordered tasks of a source: whose turn it is, who waits behind it, and why.',
    method: 'GET',
    path: '/v1/orders/{source_id}',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: Type.Object(
      { source_id: Type.String({ minLength: 1, maxLength: 256 }) },
      { additionalProperties: false },
    ),
    output: Type.Object({
      source_id: Type.String(),
      says: Type.Array(Type.String()),
      is_blocked: Type.Boolean({ description: 'The turn is with a parked task.' }),
      turn: Type.Optional(Place),
      blocked: Type.Array(Place, { description: 'In their order; at most 1000.' }),
      skipped: Type.Array(Place, { description: 'Parked, and the others went on; at most 100.' }),
    }),
    errors: [],
    example: { source_id: 'user-7' },
  },
});
