import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { AgentId, CapabilityName, InstanceId } from './names.ts';
import { INTENTS, OBSERVED } from './states.ts';

/** How an instance stands; of a definition, which has no instance, the manifest alone. */
export const AgentState = Type.Object({
  manifest_version: Type.Integer(),
  observed: Type.Optional(Type.Enum([...OBSERVED])),
  intent: Type.Optional(Type.Enum([...INTENTS])),
  intent_reason: Type.Optional(Type.String()),
  routable: Type.Optional(Type.Boolean({ description: 'A route would take it.' })),
});
export type AgentState = Static<typeof AgentState>;

const about = {
  agent: AgentId,
  instance_id: Type.Optional(InstanceId),
  capabilities: Type.Array(CapabilityName),
  addr_version: Type.Optional(Type.String()),
  base_url: Type.Optional(Type.String()),
};

/** A definition, or an instance of it, as it stands. */
export const AgentRow = Type.Object({ ...about, state: AgentState });
export type AgentRow = Static<typeof AgentRow>;

/** What became of one of them; `null`: it was not there, or is not any more. */
export const AgentChange = Type.Object({
  ...about,
  old: Type.Union([AgentState, Type.Null()]),
  new: Type.Union([AgentState, Type.Null()]),
});
export type AgentChange = Static<typeof AgentChange>;

const Hash = Type.String({
  description: 'Of all rows of the stream as they stand; see `rowsHash`.',
});

/** All that a stream tells of, once. */
export const AgentSnapshot = Type.Object({
  type: Type.Enum(['snapshot']),
  rev: Type.String({ description: 'Where the stream stands: the id of the event.' }),
  hash: Hash,
  confirmed: Type.Boolean({
    description: 'The gateway has run for long enough to know that whoever is missing is gone.',
  }),
  agents: Type.Array(AgentRow),
});
export type AgentSnapshot = Static<typeof AgentSnapshot>;

/** One event of the stream of changes. */
export const AgentEvent = Type.Union([
  AgentSnapshot,
  Type.Object({
    type: Type.Enum(['changes']),
    rev_from: Type.String({ description: 'Where the reader must stand; else it lost something.' }),
    rev_to: Type.String(),
    changes: Type.Array(AgentChange),
  }),
  Type.Object({
    type: Type.Enum(['mark']),
    rev: Type.String(),
    hash: Hash,
    confirmed: Type.Boolean(),
  }),
  Type.Object({
    type: Type.Enum(['resync']),
    reason: Type.Enum(['unknown-id', 'too-slow'], {
      description: 'A snapshot follows: the id is none of this gateway’s, or too much had waited.',
    }),
  }),
]);
export type AgentEvent = Static<typeof AgentEvent>;

/** The name of a row among all of its tenant. */
export function rowName({ agent, instance_id: instance }: Pick<AgentRow, 'agent' | 'instance_id'>) {
  return `${agent}/${instance ?? ''}`;
}

/** A hash of rows, whatever their order: whoever has the same rows has the same hash. */
export function rowsHash(rows: Iterable<AgentRow>): string {
  const lines = Array.from(rows, (row) =>
    JSON.stringify([
      rowName(row),
      row.addr_version ?? '',
      row.base_url ?? '',
      row.capabilities,
      row.state.manifest_version,
      row.state.observed ?? '',
      row.state.intent ?? '',
      row.state.routable ?? '',
    ]),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 32);
}
