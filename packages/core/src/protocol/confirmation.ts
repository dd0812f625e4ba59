import Type, { type Static } from 'typebox';
import { AgentId, CapabilityName, IdempotencyKey } from './names.ts';

/**
 * Who gives the word. `caller`: whoever asked, a second time. `human`: somebody else, who approves.
 * `target`: the agent that is asked, which makes a code of its own.
 */
export const CONFIRMATION_FORMS = ['caller', 'human', 'target'] as const;
export const ConfirmationForm = Type.Enum([...CONFIRMATION_FORMS]);
export type ConfirmationForm = Static<typeof ConfirmationForm>;

export const ConfirmationId = Type.String({ pattern: '^cfm_[0-9a-z]{26}$' });

/** What is presented: the id of what was approved, or the id, a dot and the code. */
export const ConfirmationCode = Type.String({
  minLength: 1,
  maxLength: 192,
  description:
    'Of the confirmation that was asked for: its id once somebody has approved it, or `id.code`.',
});

/** What is confirmed, made of the same bytes as the digest; what is secret by its schema, its name or its look is taken out. */
export const ConfirmationPreview = Type.Object({
  kind: Type.Enum(['call', 'task']),
  principal: Type.String(),
  capability: CapabilityName,
  agent: Type.Optional(AgentId),
  params: Type.Unknown(),
  idempotency_key: Type.Optional(IdempotencyKey),
  on_behalf_of: Type.Optional(Type.String()),
  says: Type.Optional(Type.String({ description: 'In the words of the agent that is asked.' })),
});
export type ConfirmationPreview = Static<typeof ConfirmationPreview>;

/** What a request is answered that needs a word first. */
export const NeedsConfirmation = Type.Object({
  id: ConfirmationId,
  by: ConfirmationForm,
  expires_in_ms: Type.Integer(),
  preview: ConfirmationPreview,
  code: Type.Optional(
    Type.String({
      description: 'What to present, shown this once; absent: somebody else gives the word.',
    }),
  ),
});
export type NeedsConfirmation = Static<typeof NeedsConfirmation>;

/** A confirmation as it is shown. */
export const ConfirmationView = Type.Object({
  id: ConfirmationId,
  by: ConfirmationForm,
  status: Type.Enum(['pending', 'approved', 'refused', 'used', 'dead', 'expired'], {
    description: '`dead`: too many wrong tries.',
  }),
  principal: Type.String({ description: 'Who asked.' }),
  preview: ConfirmationPreview,
  approvers: Type.Optional(
    Type.Array(Type.String(), { description: 'Who may decide; absent: every operator.' }),
  ),
  decided_by: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  wrong_tries: Type.Integer(),
  created_at: Type.String(),
  expires_at: Type.String(),
  expires_in_ms: Type.Integer(),
});
export type ConfirmationView = Static<typeof ConfirmationView>;
