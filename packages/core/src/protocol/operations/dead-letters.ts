import Type from 'typebox';
import { AgentId, CapabilityName } from '../names.ts';
import { TaskId, TaskView } from '../task.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const Reason = Type.Optional(Type.String({ maxLength: 512 }));
const Filter = {
  agent: Type.Optional(AgentId),
  task_type: Type.Optional(CapabilityName),
  cause: Type.Optional(Type.String({ maxLength: 64 })),
  fingerprint: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{12}$', description: 'Of a group of the list.' }),
  ),
};
const Cursor = Type.Optional(Type.Integer({ minimum: 1, description: 'From an earlier answer.' }));
const Faults = Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }));
const More = Type.Optional(Type.Integer({ description: 'There is more; go on from here.' }));

/** Parked tasks that went wrong in the same way. */
const Group = Type.Object({
  fingerprint: Type.String(),
  cause: Type.String(),
  reason: Type.String({ description: 'With `*` for ids, numbers and quoted values.' }),
  count: Type.Integer(),
  first_at: Type.String({ description: 'When one of them was parked, or edited since.' }),
  last_at: Type.String(),
  example: TaskId,
  task_types: Type.Array(CapabilityName, { description: 'At most 10.' }),
  agents: Type.Array(AgentId, { description: 'In whose queues they stood; at most 10.' }),
});

/** One change of a payload, as it can be compared. */
const Edit = Type.Object({
  version: Type.Integer(),
  at: Type.String(),
  by: Type.String(),
  reason: Type.Optional(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

/** What an edit, or its undoing, left behind. */
const Edited = Type.Object({
  task: TaskView,
  version: Type.Integer({ description: 'Of the task now.' }),
  faults: Faults,
  warnings: Type.Array(Type.String()),
});

const row = { method: 'POST', auth: 'operator', audited: 'door', effect: 'write' } as const;
const reading = { method: 'GET', auth: 'viewer', audited: false, effect: 'read' } as const;
const example = { task_id: 't-20250611-0001' };

export const DEAD_LETTER_OPERATIONS = operations({
  'dead-letters.list': {
    ...reading,
    summary: 'Parked tasks, newest first, and on the first page in which ways they went wrong.',
    path: '/v1/dead-letters',
    input: Type.Object(
      {
        ...Filter,
        cursor: Cursor,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      },
      closed,
    ),
    output: Type.Object({
      groups: Type.Optional(Type.Array(Group)),
      counted: Type.Optional(
        Type.Integer({ description: 'Tasks that the groups count: the newest 10,000 at most.' }),
      ),
      tasks: Type.Array(TaskView),
      cursor: More,
    }),
    errors: [],
    example: {},
  },
  'dead-letters.get': {
    ...reading,
    summary: 'One parked task: its payload, what of it breaks the present schema, its edits.',
    path: '/v1/dead-letters/{task_id}',
    input: Type.Object(
      {
        task_id: TaskId,
        edits: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 20,
            default: 5,
            description: 'Show so many, newest first. Each holds two payloads.',
          }),
        ),
      },
      closed,
    ),
    output: Type.Object({
      task: TaskView,
      version: Type.Integer({ description: 'For `edit`: refused once something else changed it.' }),
      faults: Faults,
      edits: Type.Array(Edit),
      orphans: Type.Array(
        Type.Object({ epoch: Type.Integer(), at: Type.String(), result: Type.Unknown() }),
      ),
    }),
    errors: ['task-not-found'],
    example,
  },
  'dead-letters.edit': {
    ...row,
    summary: 'Mend the payload of a parked task; it stays parked. The one before is kept.',
    path: '/v1/dead-letters/{task_id}/edit',
    input: Type.Object(
      {
        task_id: TaskId,
        payload: Type.Unknown(),
        version: Type.Optional(
          Type.Integer({ minimum: 1, description: 'As read; another one is refused.' }),
        ),
        reason: Reason,
      },
      closed,
    ),
    output: Edited,
    errors: ['task-not-found', 'task-conflict'],
    example: { ...example, payload: { sql: 'SELECT 1' }, reason: 'wrong region' },
  },
  'dead-letters.undo': {
    ...row,
    summary: 'Put the payload back as it was before the last edit; undone again, it is redone.',
    path: '/v1/dead-letters/{task_id}/undo',
    input: Type.Object({ task_id: TaskId, reason: Reason }, closed),
    output: Edited,
    errors: ['task-not-found', 'task-conflict'],
    example,
  },
  'dead-letters.skip': {
    ...row,
    summary: 'Let the ordered tasks behind a parked one go on without it; it stays parked.',
    path: '/v1/dead-letters/{task_id}/skip',
    input: Type.Object({ task_id: TaskId, reason: Reason }, closed),
    output: TaskView,
    errors: ['task-not-found', 'task-conflict'],
    example,
  },
  'dead-letters.redrive': {
    ...row,
    summary: 'Run a parked task again, with another payload if one is given.',
    path: '/v1/dead-letters/{task_id}/redrive',
    input: Type.Object(
      { task_id: TaskId, payload: Type.Optional(Type.Unknown()), reason: Reason },
      closed,
    ),
    output: TaskView,
    errors: ['task-not-found', 'task-conflict'],
    example: { ...example, reason: 'the agent is mended' },
  },
  'dead-letters.redrive-many': {
    ...row,
    summary:
      'Run a batch of parked tasks again, at a pace; go on from its cursor. Nothing goes on by itself.',
    path: '/v1/dead-letters/redrive',
    input: Type.Object(
      {
        ids: Type.Optional(Type.Array(TaskId, { minItems: 1, maxItems: 100 })),
        ...Filter,
        all: Type.Optional(Type.Boolean({ description: 'Every one: said, never assumed.' })),
        rate: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 100,
            default: 10,
            description: 'Tasks a second. A batch is what 20 s take, and at most 100.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, description: 'At most so many this time.' }),
        ),
        cursor: Cursor,
        dry_run: Type.Optional(
          Type.Boolean({ description: 'Change nothing; say what would become of each.' }),
        ),
        reason: Reason,
      },
      closed,
    ),
    output: Type.Object({
      redriven: Type.Array(TaskId),
      refused: Type.Array(
        Type.Object({ task_id: TaskId, code: Type.String(), detail: Type.String() }),
      ),
      would: Type.Optional(
        Type.Array(
          Type.Object({
            task_id: TaskId,
            task_type: CapabilityName,
            fits: Type.Boolean({ description: 'No fault, or nobody there to find one.' }),
            faults: Faults,
            candidates: Type.Array(AgentId, { description: 'Who is there for it now.' }),
            absence: Type.Optional(Type.String({ description: 'Why nobody is.' })),
          }),
        ),
      ),
      cursor: More,
    }),
    errors: [],
    example: { agent: 'sql-agent', rate: 5, reason: 'the agent is mended' },
  },
});
