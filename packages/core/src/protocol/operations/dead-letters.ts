import Type from 'typebox';
import { AgentId, CapabilityName } from '../names.ts';
import { TaskId, TaskView } from '../task.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const Filter = {
  agent: Type.Optional(AgentId),
  task_type: Type.Optional(CapabilityName),
  cause: Type.Optional(Type.String({ maxLength: 64 })),
};

export const DEAD_LETTER_OPERATIONS = operations({
  'dead-letters.list': {
    summary: 'Parked tasks, and how many there are of each cause.',
    method: 'GET',
    path: '/v1/dead-letters',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        ...Filter,
        cursor: Type.Optional(Type.Integer({ minimum: 1 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      },
      closed,
    ),
    output: Type.Object({
      causes: Type.Array(
        Type.Object({
          task_type: CapabilityName,
          cause: Type.String(),
          reason: Type.String(),
          count: Type.Integer(),
        }),
      ),
      tasks: Type.Array(TaskView),
      cursor: Type.Optional(Type.Integer()),
    }),
    errors: [],
    example: {},
  },
  'dead-letters.get': {
    summary: 'One parked task with its payload, and what of it breaks the present schema.',
    method: 'GET',
    path: '/v1/dead-letters/{task_id}',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ task_id: TaskId }, closed),
    output: Type.Object({
      task: TaskView,
      faults: Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() })),
      orphans: Type.Array(
        Type.Object({ epoch: Type.Integer(), at: Type.String(), result: Type.Unknown() }),
      ),
    }),
    errors: ['task-not-found'],
    example: { task_id: 't-20250611-0001' },
  },
  'dead-letters.redrive': {
    summary: 'Run a parked task again, with another payload if one is given.',
    method: 'POST',
    path: '/v1/dead-letters/{task_id}/redrive',
    auth: 'operator',
    audited: 'door',
    effect: 'write',
    input: Type.Object(
      {
        task_id: TaskId,
        payload: Type.Optional(Type.Unknown()),
        reason: Type.Optional(Type.String({ maxLength: 512 })),
      },
      closed,
    ),
    output: TaskView,
    errors: ['task-not-found', 'task-conflict'],
    example: { task_id: 't-20250611-0001', reason: 'the agent is mended' },
  },
});
