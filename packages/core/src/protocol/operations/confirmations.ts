import Type from 'typebox';
import { ConfirmationId, ConfirmationView } from '../confirmation.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const id = 'cfm_01k8z3v9q4t5w6x7y8z9a0b1c2';

const deciding = {
  method: 'POST',
  auth: 'operator',
  audited: 'door',
  effect: 'idempotent_write',
  input: Type.Object(
    { id: ConfirmationId, reason: Type.Optional(Type.String({ maxLength: 512 })) },
    closed,
  ),
  output: ConfirmationView,
  errors: ['confirmation-invalid'],
} as const;

export const CONFIRMATION_OPERATIONS = operations({
  'confirmations.list': {
    summary:
      'Confirmations that are open, the oldest first: an operator sees all, others their own.',
    method: 'GET',
    path: '/v1/confirmations',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: Type.Object(
      { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })) },
      closed,
    ),
    output: Type.Object({ confirmations: Type.Array(ConfirmationView) }),
    errors: [],
    example: {},
  },
  'confirmations.get': {
    summary: 'One confirmation and where it stands; others’ are for operators.',
    method: 'GET',
    path: '/v1/confirmations/{id}',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: Type.Object({ id: ConfirmationId }, closed),
    output: ConfirmationView,
    errors: [],
    example: { id },
  },
  'confirmations.approve': {
    ...deciding,
    summary: 'Say yes to exactly what is shown: whoever asked may do it once.',
    path: '/v1/confirmations/{id}/approve',
    example: { id },
  },
  'confirmations.refuse': {
    ...deciding,
    summary: 'Say no, or take an approval back that was not used yet.',
    path: '/v1/confirmations/{id}/refuse',
    example: { id, reason: 'the amount is wrong' },
  },
});
