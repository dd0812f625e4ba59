import type { Reply } from '../reply.ts';
import type { Labelled } from './rows.ts';
import type { Visit } from './visits.ts';

/** What would be right: one agent, its name and no wording, to ask which of several, or nobody. */
export type Kind = 'one' | 'by-name' | 'several' | 'nobody';

/** What came of a question. Who was reached says whoever it was. */
export type End =
  | { end: 'reached'; agent: string; capability: string; isWanted: boolean }
  | { end: 'asked'; options: readonly string[]; isOffered: boolean; routeId: string }
  | { end: 'kept' }
  | { end: 'none' }
  | { end: 'failed'; code: string };

/** A labelled question and what came of it. */
export type Outcome = { question: Labelled; kind: Kind } & End;

/** What is known of a question that was asked. */
export interface Told {
  question: Labelled;
  /** Undefined: no answer came, and `code` says why. */
  reply: Reply | undefined;
  code?: string;
  /** Who noted down that he was asked in its course; the first one is who was meant. */
  visits: readonly Visit[];
}

/** What came of a question, by what the agents noted down and else by what was answered. */
export function outcomeOf(told: Told, sensitive: ReadonlySet<string>): Outcome {
  const { question } = told;
  return { question, kind: kindOf(question, sensitive), ...endOf(told) };
}

function kindOf({ wanted }: Labelled, sensitive: ReadonlySet<string>): Kind {
  const [first] = wanted;
  if (first === undefined) return 'nobody';
  if (wanted.length > 1) return 'several';
  return sensitive.has(first) ? 'by-name' : 'one';
}

function endOf({ question: { wanted }, reply, code, visits }: Told): End {
  const [first] = visits;
  if (first !== undefined) {
    const { agent, capability } = first;
    // Whoever could mean several and is sent to one of them was guessed at.
    const isWanted = wanted.length === 1 && wanted[0] === capability;
    return { end: 'reached', agent, capability, isWanted };
  }
  if (reply === undefined) return { end: 'failed', code: code ?? 'unknown' };
  if (reply.asked !== undefined) {
    const { options, route_id: routeId } = reply.asked;
    const isOffered = options.some((name) => wanted.includes(name));
    return { end: 'asked', options, isOffered, routeId };
  }
  if (reply.understood) return { end: 'failed', code: reply.trouble?.code ?? 'not-noted' };
  return { end: reply.reason === 'NAMED_ONLY' ? 'kept' : 'none' };
}
