import Type, { type Static } from 'typebox';

/**
 * What a capability does to the world: the only switch for retry, for the default of confirmation
 * and for the safety of replay. Undeclared is a fourth case, kept apart by absence.
 */
export const Effect = Type.Enum(['read', 'idempotent_write', 'write'], {
  description:
    'read: changes nothing. idempotent_write: repeating it with the same key changes nothing more. ' +
    'write: each run counts.',
});
export type Effect = Static<typeof Effect>;

/**
 * Whether the target ran the request. `yes`: it gave its final verdict, a refusal included. `no`:
 * provably not run. `unknown`: anything else. Retry, refund, fallback and escalation follow from it.
 */
export const Executed = Type.Enum(['no', 'yes', 'unknown']);
export type Executed = Static<typeof Executed>;
