import Type, { type Static } from 'typebox';
import { CandidateView, RequestContext } from './call.ts';
import { ConfirmationCode, NeedsConfirmation } from './confirmation.ts';
import { Effect } from './effects.ts';
import {
  AgentId,
  CapabilityName,
  IdempotencyKey,
  RequestId,
  TagsInput,
  TenantId,
} from './names.ts';
import { TASK_STATES } from './task-states.ts';

/** A caller may bring its own id, so that a submission can be repeated without doubt. */
export const TaskId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$',
  description: 'Yours, or `tsk_…` made by the gateway.',
});

const Priority = Type.Integer({
  minimum: 0,
  maximum: 10,
  default: 5,
  description: '10 first. By convention 0-2 batch, 3-5 normal, 6-9 online, 10 control.',
});

const Seconds = (maximum: number) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum }), Type.String({ maxLength: 32 })]);

const DAY_S = 86_400;

/** A task to be done: accepted work is never lost, and ends once. */
export const TaskRequest = Type.Object(
  {
    task_id: Type.Optional(TaskId),
    task_type: Type.Optional(CapabilityName),
    capability: Type.Optional(CapabilityName),
    tags: Type.Optional(TagsInput),
    strict_tags: Type.Optional(Type.Boolean()),
    agent: Type.Optional(AgentId),
    version: Type.Optional(Type.String({ maxLength: 64 })),
    intent: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'What it is about, in words.' }),
    ),
    summary: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'Another word for intent.' }),
    ),
    payload: Type.Optional(Type.Unknown()),
    params: Type.Optional(Type.Unknown()),
    priority: Type.Optional(Priority),
    timeout: Type.Optional(Seconds(30 * DAY_S)),
    delay: Type.Optional(
      Type.Union([
        Type.Number({ minimum: 0, maximum: 30 * DAY_S }),
        Type.String({ maxLength: 32 }),
      ]),
    ),
    source_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    ordered: Type.Optional(
      Type.Boolean({ description: 'One after the other with other ordered tasks of source_id.' }),
    ),
    order_seq: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Its place among them, counted by one: a missing one is waited for (`order.gap.wait`).',
      }),
    ),
    on_dead: Type.Optional(
      Type.Enum(['block', 'skip'], {
        default: 'block',
        description: 'What those behind it do while it is parked: wait, or go on.',
      }),
    ),
    max_retry: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
    parent_id: Type.Optional(TaskId),
    durability: Type.Optional(
      Type.Enum(['durable', 'memory'], {
        default: 'durable',
        description:
          '`memory`: a read that may be lost with the gateway, and waits for no disk. Its id is made by the gateway; it has no key, parent or order.',
      }),
    ),
    stall_after: Type.Optional(
      Type.Union(
        [Type.Number({ minimum: 0, maximum: 30 * DAY_S }), Type.String({ maxLength: 32 })],
        {
          description:
            'A run without a word of progress for so long is shown as stalled; 0: never.',
        },
      ),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'Seconds to hold the request for the end; 202 and `resume` if that is later.',
      }),
    ),
    request_id: Type.Optional(RequestId),
    idempotency_key: Type.Optional(IdempotencyKey),
    confirmation_code: Type.Optional(ConfirmationCode),
    agent_id: Type.Optional(AgentId),
    tenant: Type.Optional(TenantId),
    context: Type.Optional(RequestContext),
  },
  { additionalProperties: false },
);
export type TaskRequest = Static<typeof TaskRequest>;

const Durability = Type.Enum(['durable', 'memory'], {
  description: '`memory`: it is lost when the gateway that took it ends.',
});

/** What a submission is answered. */
export const TaskTicket = Type.Object({
  task_id: TaskId,
  status: Type.Enum([...TASK_STATES, 'needs_confirmation'], {
    description: '`needs_confirmation`: nothing was stored; submit it again with the code.',
  }),
  confirmation: Type.Optional(NeedsConfirmation),
  position: Type.Integer({ description: 'Tasks ahead of this one in its queue; 0 is next.' }),
  eta_ms: Type.Integer({
    description:
      'Estimated wait until it is delivered, milliseconds: as likely less as more. −1: nobody who could do it is there, so nobody can say.',
  }),
  eta_p90_ms: Type.Integer({ description: 'Nine times of ten it is no longer. −1: as above.' }),
  agent: Type.Optional(AgentId),
  durability: Durability,
  trace_id: Type.String(),
  replayed: Type.Boolean({ description: 'It had been submitted before, with the same content.' }),
  degraded: Type.Optional(
    Type.Boolean({ description: 'It is taken otherwise than asked for; `warnings` say how.' }),
  ),
  degraded_to: Type.Optional(
    Type.String({ description: 'The declared fallback that does it; without it, it is delayed.' }),
  ),
  degraded_by: Type.Optional(
    Type.Enum(['depth', 'wait', 'absence'], {
      description:
        'Why: the queue is near its end, its oldest task has waited too long, or nobody is there.',
    }),
  ),
  warnings: Type.Array(Type.String()),
  cause: Type.Optional(Type.String({ description: 'With `wait`: what brought it to its end.' })),
  reason: Type.Optional(Type.String()),
  result: Type.Optional(Type.Unknown({ description: 'With `wait`, if it has ended.' })),
  resume: Type.Optional(Type.String({ description: 'Where to go on waiting; it has not ended.' })),
});
export type TaskTicket = Static<typeof TaskTicket>;

/** A task as it is shown. */
export const TaskView = Type.Object({
  task_id: TaskId,
  task_type: CapabilityName,
  fallback_of: Type.Optional(
    Type.String({ description: 'What was asked for; `task_type` is its declared fallback.' }),
  ),
  status: Type.Enum([...TASK_STATES]),
  cause: Type.Optional(Type.String({ description: 'What brought it here, in one word.' })),
  reason: Type.Optional(Type.String({ description: 'A sentence about it.' })),
  agent: Type.Optional(AgentId),
  holder: Type.Optional(Type.String()),
  priority: Type.Integer(),
  position: Type.Optional(Type.Integer()),
  effect: Type.Optional(Effect),
  durability: Durability,
  deliveries: Type.Integer(),
  attempts: Type.Integer(),
  attempts_max: Type.Integer(),
  progress: Type.Optional(
    Type.Object({
      percent: Type.Number(),
      note: Type.Optional(Type.String()),
      at: Type.String(),
    }),
  ),
  stalled_since: Type.Optional(
    Type.String({ description: 'It runs, and there has been no progress since then.' }),
  ),
  eta_ms: Type.Optional(
    Type.Integer({ description: 'Estimated: until it is delivered, or of a running one, ends.' }),
  ),
  eta_p90_ms: Type.Optional(Type.Integer({ description: 'Nine times of ten it is no longer.' })),
  payload: Type.Optional(Type.Unknown()),
  result: Type.Optional(Type.Unknown()),
  trace_id: Type.String(),
  principal: Type.String(),
  parent_id: Type.Optional(TaskId),
  source_id: Type.Optional(Type.String()),
  order_seq: Type.Optional(Type.Integer()),
  created_at: Type.String(),
  updated_at: Type.String(),
  ended_at: Type.Optional(Type.String()),
  due_at: Type.Optional(Type.String()),
  deadline_at: Type.Optional(Type.String()),
  lease_ends: Type.Optional(Type.String()),
  resume: Type.Optional(Type.String({ description: 'Where to go on waiting; it has not ended.' })),
});
export type TaskView = Static<typeof TaskView>;

/** Why a task is where it is, and what would move it. */
export const TaskWhy = Type.Object({
  task_id: TaskId,
  status: Type.Enum([...TASK_STATES]),
  says: Type.Array(Type.String()),
  candidates: Type.Optional(Type.Array(CandidateView)),
});
export type TaskWhy = Static<typeof TaskWhy>;

/** Work that is handed to a holder. */
export const Delivery = Type.Object({
  task_id: TaskId,
  task_type: CapabilityName,
  kind: Type.Enum(['task', 'call', 'event']),
  payload: Type.Unknown(),
  lease: Type.String({ description: 'Speak for the task with this; stale once others hold it.' }),
  lease_ms: Type.Integer(),
  attempt: Type.Integer({ description: 'Which run this would be, from 1.' }),
  deadline_ms: Type.Optional(Type.Integer()),
  trace_id: Type.String(),
  traceparent: Type.String(),
  call_token: Type.String(),
  caller: Type.String(),
  idempotency_key: Type.String(),
  source_id: Type.Optional(Type.String()),
});
export type Delivery = Static<typeof Delivery>;

/** How a holder's word was taken. */
export const HolderAnswer = Type.Object({
  task_id: TaskId,
  outcome: Type.Enum(['ok', 'late_ok', 'ended']),
  status: Type.Enum([...TASK_STATES]),
  lease_ms: Type.Optional(Type.Integer()),
});
export type HolderAnswer = Static<typeof HolderAnswer>;

/** What became of one lease that was to be kept alive. */
export const LeaseState = Type.Object({
  task_id: Type.Optional(TaskId),
  outcome: Type.Enum(['kept', 'cancelled', 'ended', 'lost', 'invalid'], {
    description:
      'Only a `kept` one is worth working on. `lost`: others have the task, or will. `invalid`: it is no lease of this gateway.',
  }),
  status: Type.Optional(Type.Enum([...TASK_STATES])),
});
export type LeaseState = Static<typeof LeaseState>;
