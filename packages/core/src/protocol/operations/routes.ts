import Type from 'typebox';
import {
  Evaluation,
  LocalCalibration,
  MisrouteBudget,
  Utterance,
  UTTERANCES_MAX,
} from '../evaluation.ts';
import { AgentId, InstanceId } from '../names.ts';
import { operations } from './operation.ts';

/** Ends of a direct call that speak against who was called. */
const REPORTED_CODES = [
  'agent-error',
  'connect-failed',
  'bad-response',
  'schema-drift',
  'deadline-exceeded',
] as const;

const closed = { additionalProperties: false };

export const ROUTE_OPERATIONS = operations({
  'routes.report': {
    summary:
      'Tell how a call went that was sent direct: it counts in the score of who was called, as the gateway’s own calls do.',
    method: 'POST',
    path: '/v1/routes/{route_id}/outcome',
    auth: 'caller',
    audited: 'door',
    effect: 'idempotent_write',
    input: Type.Object(
      {
        route_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
        agent_id: Type.Optional(AgentId),
        call_token: Type.String({
          minLength: 1,
          maxLength: 12_288,
          description: 'That of the decision: it shows that it was made, and for which agent.',
        }),
        instance_id: InstanceId,
        ok: Type.Boolean({
          description: 'It answered; a refusal of its own is an answer, too.',
        }),
        code: Type.Optional(
          Type.Enum([...REPORTED_CODES], {
            description: 'What went wrong, where it did; `agent-error` unless said.',
          }),
        ),
        duration_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
      },
      closed,
    ),
    output: Type.Object({
      route_id: Type.String(),
      counted: Type.Boolean(),
      detail: Type.String(),
    }),
    errors: ['capability-not-found', 'rate-limited', 'overloaded'],
    example: { route_id: 'rte_06F2', call_token: 'e30.x', instance_id: 'orders-1', ok: true },
  },
  'routes.evaluate': {
    summary:
      'How well intents are read, by utterances whose right end is known: rates, confusions, thresholds. Nothing is sent or learned.',
    method: 'POST',
    path: '/v1/routes/evaluate',
    auth: 'operator',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        utterances: Type.Array(Utterance, { minItems: 1, maxItems: UTTERANCES_MAX }),
        budget: Type.Optional(MisrouteBudget),
      },
      closed,
    ),
    output: Evaluation,
    errors: ['cancelled', 'rate-limited', 'overloaded'],
    example: { utterances: [{ text: '我的快递到哪了', expected: 'track_shipment' }] },
  },
  'routes.calibrate': {
    summary:
      'Fit the probability by which intents are routed to labelled utterances of one’s own, and say what that changes; `apply` puts it in force.',
    method: 'POST',
    path: '/v1/routes/calibrate',
    auth: 'operator',
    audited: 'door',
    effect: 'idempotent_write',
    input: Type.Object(
      {
        utterances: Type.Array(Utterance, { minItems: 1, maxItems: UTTERANCES_MAX }),
        budget: Type.Optional(MisrouteBudget),
        apply: Type.Optional(
          Type.Boolean({ description: 'Write it as the policy `calibration`.' }),
        ),
      },
      closed,
    ),
    output: LocalCalibration,
    errors: ['cancelled', 'policy-conflict', 'rule-refused', 'rate-limited', 'overloaded'],
    example: { utterances: [{ text: '我的快递到哪了', expected: 'track_shipment' }], apply: true },
  },
});
