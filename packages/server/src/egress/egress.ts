import { type Board, endpointKey } from '../resilience/board.ts';
import type { Attempt, AttemptOutcome, Link } from './link.ts';

/** One attempt to one endpoint, counted on the board while it lasts. */
export async function attemptOnce(
  attempt: Attempt,
  link: Link,
  board: Board,
): Promise<AttemptOutcome> {
  const end = board.begin(endpointKey(attempt.tenant, attempt.agentId, attempt.instanceId));
  let answered = false;
  try {
    const outcome = await link(attempt);
    answered = outcome.status !== 0;
    return outcome;
  } finally {
    end(answered);
  }
}
