import { randomBytes } from 'node:crypto';
import { type Reach, ReachError } from '@agent-reach/sdk';
import type { Reply } from '../reply.ts';
import { type Outcome, outcomeOf, type Told } from './outcome.ts';
import { patiently } from './patiently.ts';
import type { Labelled } from './rows.ts';
import { readVisits } from './visits.ts';

/** A question that was asked, and the trace of its way. */
interface Asked extends Omit<Told, 'visits'> {
  traceId: string;
}

/** What must be known to ask and to count. */
export interface Asking {
  reach: Reach;
  notesDir: string;
  sensitive: ReadonlySet<string>;
  stop: AbortSignal;
}

/**
 * Asks the customer service one question after the other, and says what came of each by what the agents
 * noted down meanwhile.
 */
export async function askAll(
  questions: readonly Labelled[],
  { reach, notesDir, sensitive, stop }: Asking,
  onAsked: (done: number) => void = () => {},
): Promise<Outcome[]> {
  const asked: Asked[] = [];
  for (const question of questions) {
    if (stop.aborted) break;
    asked.push(await askOne(question, reach));
    onAsked(asked.length);
  }
  const byTrace = Map.groupBy(readVisits(notesDir), ({ traceId }) => traceId);
  return asked.map((one) => {
    return outcomeOf({ ...one, visits: byTrace.get(one.traceId) ?? [] }, sensitive);
  });
}

async function askOne(question: Labelled, reach: Reach): Promise<Asked> {
  const { text, language, given } = question;
  const params = { question: text, language, ...(given === undefined ? {} : { given }) };
  // Named here, so that it is known of a question that failed as well.
  let traceId = '';
  try {
    const reply = await patiently(async () => {
      traceId = randomBytes(16).toString('hex');
      const { result } = await reach.call<Reply>('answer_question', params, { traceId });
      // What it asks for in turn is turned away as well while the gateway is late.
      if (result.trouble?.code === 'overloaded')
        throw new ReachError('overloaded', 'The gateway is late.');
      return result;
    });
    return { question, reply, traceId };
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    return { question, reply: undefined, code: error.code, traceId };
  }
}
