import {
  type Answer,
  type CallRequest,
  type ConfirmationView,
  type NeedsConfirmation,
  ReachError,
} from '@agent-reach/core';
import { type Clock, Deadline } from '@agent-reach/core/kernel';
import type { CallOptions } from './selector.ts';

/** An answer that is a question: nothing was done, and somebody's word is wanted first. */
export type AskingAnswer = Answer & {
  status: 'needs_confirmation';
  confirmation: NeedsConfirmation;
};

/** Whether a call was answered by asking for a confirmation. */
export function needsConfirmation(answer: Answer): answer is AskingAnswer {
  return answer.status === 'needs_confirmation' && answer.confirmation !== undefined;
}

/** How a call is made once more, with somebody's word. */
export interface ConfirmOptions {
  /**
   * What the agent told somebody, where it tells its code itself. Left out: the code of the answer, or
   * where a person decides, none.
   */
  code?: string | undefined;
  /** How long to wait for a person, milliseconds. Default: as long as the confirmation holds. */
  waitMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A call as it was made, to be made once more. */
export interface Asked {
  request: CallRequest;
  isNamed: boolean;
  options: CallOptions;
}

/** How often a person is looked after. */
const LOOK_MS = 1_000;

/** What the repeat presents. Throws a `TypeError` where only the agent knows the code. */
export function presentedCode(needs: NeedsConfirmation, code: string | undefined): string {
  if (code !== undefined) return code.startsWith('cfm_') ? code : `${needs.id}.${code}`;
  if (needs.code !== undefined) return needs.code;
  if (needs.by === 'human') return needs.id;
  throw new TypeError(`${needs.id} has a code that the agent tells itself: say it.`);
}

/**
 * Waits until somebody has decided. What he decided is the gateway's to say; throws
 * `deadline-exceeded` where nobody did.
 */
export async function decided(
  { id, expires_in_ms: expiresInMs }: NeedsConfirmation,
  { waitMs = expiresInMs, signal }: ConfirmOptions,
  ports: { look: (id: string) => Promise<ConfirmationView>; clock: Clock },
): Promise<void> {
  const deadline = Deadline.in(ports.clock, waitMs);
  for (;;) {
    const { status } = await ports.look(id);
    if (status !== 'pending') return;
    signal?.throwIfAborted();
    const leftMs = deadline.remainingMs();
    if (leftMs <= 0) {
      const detail = `Nobody has decided on ${id} within ${Math.round(waitMs)} ms.`;
      throw new ReachError('deadline-exceeded', detail, { executed: 'no', confirmation: id });
    }
    await ports.clock.sleep(Math.min(LOOK_MS, leftMs));
  }
}
