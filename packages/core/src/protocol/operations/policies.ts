import Type from 'typebox';
import { CapabilityName } from '../names.ts';
import { BalanceView, type PolicyDoc, PolicyName, PolicyView } from '../policy.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const expectVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Refused unless this is the present version. Left out: whatever there is.',
  }),
);
const Written = Type.Intersect([
  PolicyView,
  Type.Object({
    warnings: Type.Array(Type.String()),
    dry_run: Type.Boolean({ description: 'Checked only; nothing was stored.' }),
  }),
]);

const example = { policy: 'weights' };

export const POLICY_OPERATIONS = operations({
  'policies.get': {
    summary: 'A document that operators write, as it stands.',
    method: 'GET',
    path: '/v1/policies/{policy}',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ policy: PolicyName }, closed),
    output: PolicyView,
    errors: [],
    example,
  },
  'policies.put': {
    summary: 'Write a document anew; it holds from the next decision on.',
    method: 'PUT',
    path: '/v1/policies/{policy}',
    auth: 'operator',
    audited: 'door',
    effect: 'idempotent_write',
    input: Type.Object(
      {
        policy: PolicyName,
        // Held to the form of its policy by the operation: a fault is told of that form alone.
        doc: Type.Unsafe<PolicyDoc>({ type: 'object', description: 'In the form of its policy.' }),
        expect_version: expectVersion,
        dry_run: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    output: Written,
    errors: ['policy-conflict', 'rule-refused'],
    example: {
      ...example,
      doc: { capabilities: { query: { versions: { '1.4': 90, '2.0': 10 } } } },
      expect_version: 0,
    },
  },
  'policies.rollback': {
    summary: 'Put an earlier version of a document back: the one before this, unless said.',
    method: 'POST',
    path: '/v1/policies/{policy}/rollback',
    auth: 'operator',
    audited: 'door',
    effect: 'write',
    input: Type.Object(
      {
        policy: PolicyName,
        to: Type.Optional(
          Type.Integer({ minimum: 0, description: 'A version; 0 is the empty document.' }),
        ),
        expect_version: expectVersion,
      },
      closed,
    ),
    output: Written,
    errors: ['rule-refused', 'policy-conflict'],
    example,
  },
  'policies.history': {
    summary: 'The versions of a document, newest first; the last 100 are kept.',
    method: 'GET',
    path: '/v1/policies/{policy}/history',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        policy: PolicyName,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      },
      closed,
    ),
    output: Type.Object({ versions: Type.Array(PolicyView) }),
    errors: [],
    example,
  },
  'routes.balance': {
    summary: 'How the work of a capability is shared out now, and the weights behind it.',
    method: 'GET',
    path: '/v1/routes/balance',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ capability: CapabilityName }, closed),
    output: BalanceView,
    errors: ['capability-not-found'],
    example: { capability: 'query' },
  },
});
