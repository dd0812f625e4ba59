import Type from 'typebox';
import { AgentId, CapabilityName } from '../names.ts';
import { operations } from './operation.ts';

const Count = Type.Integer({ minimum: 0 });

const Queue = Type.Object({
  agent: Type.Optional(AgentId),
  task_type: Type.Optional(CapabilityName),
  level: Type.Enum(['calm', 'warn', 'danger'], { description: 'By its watermarks.' }),
  level_by: Type.Optional(
    Type.Enum(['depth', 'wait'], {
      description:
        'Of a level that is not calm: too many wait, or the oldest has waited too long (`flowcontrol.wait-slo`).',
    }),
  ),
  away: Type.Optional(
    Type.Boolean({
      description:
        'Nobody of its agent is there: how long its tasks wait does not raise the level.',
    }),
  ),
  pending: Type.Integer({ description: 'blocked + queued + waiting: what `limit` bounds.' }),
  limit: Count,
  blocked: Count,
  queued: Count,
  waiting: Count,
  delivered: Count,
  running: Count,
  dead: Count,
  oldest_wait_ms: Type.Optional(
    Type.Integer({ description: 'How long the one that has been ready longest has waited.' }),
  ),
  run_p50_ms: Type.Optional(Type.Integer({ description: 'How long runs take, as seen here.' })),
  run_p90_ms: Type.Optional(Type.Integer()),
  reach_rate: Type.Optional(
    Type.Number({
      description: 'Receipts ÷ deliveries of about the last thousand, as seen by this gateway.',
    }),
  ),
});

export const QUEUE_OPERATIONS = operations({
  'queues.list': {
    summary: 'Every queue in which tasks live: how full it is, how old, how well it is reached.',
    method: 'GET',
    path: '/v1/queues',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ agent: Type.Optional(AgentId) }, { additionalProperties: false }),
    output: Type.Object({
      queues: Type.Array(Queue, {
        description: 'The fullest first; at most 1000. Without `agent`: nobody offers `task_type`.',
      }),
    }),
    errors: [],
    example: {},
  },
});
