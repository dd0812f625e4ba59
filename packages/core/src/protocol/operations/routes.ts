import Type from 'typebox';
import { Evaluation, MisrouteBudget, Utterance, UTTERANCES_MAX } from '../evaluation.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };

export const ROUTE_OPERATIONS = operations({
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
});
