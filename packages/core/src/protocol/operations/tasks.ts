import Type from 'typebox';
import { AgentId, CapabilityName, InstanceId, TenantId } from '../names.ts';
import {
  Delivery,
  HolderAnswer,
  LeaseState,
  TaskId,
  TaskRequest,
  TaskTicket,
  TaskView,
  TaskWhy,
} from '../task.ts';
import { TASK_STATES } from '../task-states.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const Lease = Type.String({ minLength: 1, maxLength: 512 });
const Reason = Type.Optional(Type.String({ maxLength: 2048 }));
const Wait = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 60, description: 'Seconds to wait for the end.' }),
);
const Holder = {
  agent_id: AgentId,
  instance_id: Type.Optional(InstanceId),
};

const one = <const Extra extends Record<string, Type.TSchema>>(extra: Extra) =>
  Type.Object({ task_id: TaskId, ...extra }, closed);

const listing = {
  status: Type.Optional(
    Type.Enum([...TASK_STATES, 'TIMEOUT', 'STALLED'], {
      description: 'TIMEOUT: failed by its deadline. STALLED: running, without progress for long.',
    }),
  ),
  agent: Type.Optional(AgentId),
  task_type: Type.Optional(CapabilityName),
  principal: Type.Optional(Type.String({ maxLength: 128 })),
  trace_id: Type.Optional(Type.String({ maxLength: 128 })),
  parent_id: Type.Optional(TaskId),
  source_id: Type.Optional(Type.String({ maxLength: 256 })),
  cursor: Type.Optional(Type.Integer({ minimum: 1, description: 'From an earlier answer.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
};

const example = {
  task_id: 't-20250611-0001',
  task_type: 'query',
  tags: { region: 'cn-east', capability: 'sql_query' },
  payload: { sql: 'SELECT * FROM sales WHERE date = today' },
  priority: 5,
  timeout: 60,
};

const row = {
  method: 'POST',
  auth: 'caller',
  audited: 'door',
  effect: 'idempotent_write',
} as const;

/** Rows of what a holder says of its lease. The task's own line is written when it is over. */
const word = { ...row, auth: 'agent', audited: 'road' } as const;

export const TASK_OPERATIONS = operations({
  'tasks.submit': {
    ...row,
    summary: 'Submit a task: accepted work is never lost and ends once.',
    path: '/v1/tasks',
    // The road writes its line: it alone knows whom the task was bound to.
    audited: 'road',
    input: TaskRequest,
    output: TaskTicket,
    errors: [
      'capability-not-found',
      'agent-not-found',
      'task-not-found',
      'task-conflict',
      'ambiguous-match',
      'idempotency-key-reused',
      'confirmation-invalid',
      'rate-limited',
      'budget-paced',
      'budget-exhausted',
      'agent-busy',
      'overloaded',
      'call-too-deep',
      'cycle-detected',
      'call-budget-exceeded',
    ],
    example,
  },
  'tasks.submit-many': {
    ...row,
    summary: 'Submit up to 1000 tasks; each is accepted or refused by itself.',
    path: '/v1/tasks/bulk',
    audited: 'road',
    input: Type.Object(
      {
        // Not judged at the door: one row that is none shall not cost the others their place.
        tasks: Type.Array(
          Type.Unsafe<TaskRequest>({ description: 'Each as the body of `tasks.submit`.' }),
          { minItems: 1, maxItems: 1000 },
        ),
        agent_id: Type.Optional(AgentId),
        tenant: Type.Optional(TenantId),
      },
      closed,
    ),
    output: Type.Object({
      tasks: Type.Array(
        Type.Object({
          ticket: Type.Optional(TaskTicket),
          problem: Type.Optional(Type.Unknown({ description: 'A problem document.' })),
        }),
      ),
    }),
    errors: [],
    example: { tasks: [example] },
  },
  'tasks.get': {
    ...row,
    summary: 'Show a task; with `wait`, hold the request until it ends or the wait is over.',
    method: 'GET',
    path: '/v1/tasks/{task_id}',
    audited: false,
    effect: 'read',
    input: one({ wait: Wait }),
    output: TaskView,
    errors: ['task-not-found'],
    example: { task_id: 't-20250611-0001' },
  },
  'tasks.list': {
    ...row,
    summary: 'List tasks, newest first.',
    method: 'GET',
    path: '/v1/tasks',
    audited: false,
    effect: 'read',
    input: Type.Object(listing, closed),
    output: Type.Object({
      tasks: Type.Array(TaskView),
      cursor: Type.Optional(Type.Integer({ description: 'There is more; go on from here.' })),
    }),
    errors: [],
    example: { status: 'queued' },
  },
  'tasks.cancel': {
    ...row,
    summary: 'Cancel a task and what it started. Its holder is told with its next word.',
    path: '/v1/tasks/{task_id}/cancel',
    input: one({ reason: Reason }),
    output: Type.Object({ cancelled: Type.Array(TaskId) }),
    errors: ['task-not-found'],
    example: { task_id: 't-20250611-0001', reason: 'no longer needed' },
  },
  'tasks.park': {
    ...row,
    summary: 'Park a task that is queued or waiting, as a dead letter, to be looked at.',
    path: '/v1/tasks/{task_id}/park',
    auth: 'operator',
    input: one({ reason: Type.String({ minLength: 1, maxLength: 2048 }) }),
    output: TaskView,
    errors: ['task-not-found', 'task-conflict'],
    example: { task_id: 't-20250611-0001', reason: 'it breaks every agent' },
  },
  'tasks.history': {
    ...row,
    summary: 'Every move a task has made.',
    method: 'GET',
    path: '/v1/tasks/{task_id}/history',
    audited: false,
    effect: 'read',
    input: one({}),
    output: Type.Object({
      task_id: TaskId,
      moves: Type.Array(
        Type.Object({
          at: Type.String(),
          from: Type.Optional(Type.String()),
          to: Type.String(),
          cause: Type.String(),
          agent: Type.Optional(AgentId),
          holder: Type.Optional(Type.String()),
          by: Type.Optional(Type.String({ description: 'Who did it, where a person may.' })),
          reason: Type.Optional(Type.String()),
        }),
      ),
      warnings: Type.Array(Type.String()),
    }),
    errors: ['task-not-found'],
    example: { task_id: 't-20250611-0001' },
  },
  'tasks.why': {
    ...row,
    summary: 'Why a task is where it is, and what would move it.',
    method: 'GET',
    path: '/v1/tasks/{task_id}/why',
    audited: false,
    effect: 'read',
    input: one({}),
    output: TaskWhy,
    errors: ['task-not-found'],
    example: { task_id: 't-20250611-0001' },
  },
  'tasks.claim': {
    ...word,
    summary: 'Take work for an agent; with `wait`, hold the request until there is some.',
    path: '/v1/tasks/claim',
    effect: 'write',
    input: Type.Object(
      {
        ...Holder,
        task_types: Type.Optional(Type.Array(CapabilityName, { minItems: 1, maxItems: 50 })),
        credits: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'At most so many.' }),
        ),
        wait: Wait,
      },
      closed,
    ),
    output: Type.Object({ tasks: Type.Array(Delivery) }),
    errors: ['agent-not-found', 'draining', 'overloaded'],
    example: { agent_id: 'sql-agent', credits: 4 },
  },
  'tasks.ack': {
    ...word,
    summary: 'The receipt: received and started. Not the result.',
    path: '/v1/tasks/{task_id}/ack',
    input: one({ lease: Lease }),
    output: HolderAnswer,
    errors: ['task-not-found', 'lease-lost'],
    example: { task_id: 't-20250611-0001', lease: 'x' },
  },
  'tasks.extend': {
    ...word,
    summary: 'Keep leases alive; says of each what became of it.',
    path: '/v1/tasks/extend',
    input: Type.Object(
      { leases: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }) },
      closed,
    ),
    output: Type.Object({
      lease_ms: Type.Integer({ description: 'How long those that are `kept` are from now.' }),
      leases: Type.Array(LeaseState, { description: 'One for each, in the order asked.' }),
    }),
    errors: [],
    example: { leases: ['x'] },
  },
  'tasks.progress': {
    ...word,
    summary: 'Say how far the work is; keeps the lease alive.',
    path: '/v1/tasks/{task_id}/progress',
    input: one({
      lease: Lease,
      percent: Type.Number({ minimum: 0, maximum: 100 }),
      note: Type.Optional(Type.String({ maxLength: 512 })),
    }),
    output: HolderAnswer,
    errors: ['task-not-found', 'lease-lost'],
    example: { task_id: 't-20250611-0001', lease: 'x', percent: 40 },
  },
  'tasks.complete': {
    ...word,
    summary: 'The result.',
    path: '/v1/tasks/{task_id}/complete',
    input: one({ lease: Lease, result: Type.Optional(Type.Unknown()) }),
    unsafeField: { name: 'result', charsMax: 65_536 },
    output: HolderAnswer,
    errors: ['task-not-found', 'lease-lost', 'schema-drift'],
    example: { task_id: 't-20250611-0001', lease: 'x', result: { rows: [] } },
  },
  'tasks.fail': {
    ...word,
    summary: 'It did not work; `retryable` says whether another try may.',
    path: '/v1/tasks/{task_id}/fail',
    unsafeField: { name: 'reason', charsMax: 2_048 },
    input: one({
      lease: Lease,
      reason: Type.String({ maxLength: 2048 }),
      retryable: Type.Boolean(),
      code: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
          description: 'Your own word for it: dead letters are grouped by it.',
        }),
      ),
      executed: Type.Optional(
        Type.Enum(['no', 'yes', 'unknown'], {
          description:
            'Whether the work took effect. A write that is `unknown` is not run again but waits for a person. Left out, `retryable` is your word that another run does no harm.',
        }),
      ),
      retry_after_ms: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'Not before.' }),
      ),
      details: Type.Optional(Type.Unknown({ description: 'Kept as the result of the failure.' })),
    }),
    output: HolderAnswer,
    errors: ['task-not-found', 'lease-lost'],
    example: { task_id: 't-20250611-0001', lease: 'x', reason: 'no connection', retryable: true },
  },
  'tasks.release': {
    ...word,
    summary: 'Give work back as it was; no attempt is burnt.',
    path: '/v1/tasks/{task_id}/release',
    input: one({ lease: Lease, reason: Reason }),
    output: HolderAnswer,
    errors: ['task-not-found', 'lease-lost'],
    example: { task_id: 't-20250611-0001', lease: 'x' },
  },
});
