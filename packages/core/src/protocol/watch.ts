import Type, { type Static } from 'typebox';
import { CandidateView, RouteStrategy } from './call.ts';
import { AgentId, CapabilityName, InstanceId } from './names.ts';

/** One decision about a route, as it was made. */
export const RouteDecision = Type.Object({
  type: Type.Enum(['decision']),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  by: Type.Enum(['route', 'call', 'task'], {
    description: 'What was decided for: a decision alone, an attempt of a call, a task.',
  }),
  route_id: Type.Optional(Type.String()),
  trace_id: Type.String(),
  request_id: Type.String(),
  agent_from: Type.String(),
  intent: Type.Optional(Type.String()),
  capability: Type.Optional(CapabilityName),
  tags: Type.Record(Type.String(), Type.String()),
  outcome: Type.Enum(['route', 'ask', 'none']),
  agent: Type.Optional(AgentId),
  instance: Type.Optional(InstanceId),
  strategy: Type.Optional(RouteStrategy),
  score: Type.Optional(Type.Number()),
  reason: Type.Optional(Type.String({ description: 'Why nobody was chosen.' })),
  candidates: Type.Array(CandidateView),
  warnings: Type.Array(Type.String()),
});
export type RouteDecision = Static<typeof RouteDecision>;

/** One event of the live watch. */
export const WatchEvent = Type.Union([
  RouteDecision,
  Type.Object({
    type: Type.Enum(['gap']),
    missed: Type.Integer({ description: 'Decisions that came too fast to be shown.' }),
  }),
]);
export type WatchEvent = Static<typeof WatchEvent>;

/** What of all decisions is shown. */
export const WatchFilter = {
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'What the capability or the intent contains; `*` stands for anything between.',
    }),
  ),
  agent: Type.Optional(AgentId),
};
