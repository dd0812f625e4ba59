import { ReachError } from '@agent-reach/core';
import type { Deadline } from '@agent-reach/core/kernel';
import { attemptOnce } from '../egress/egress.ts';
import { shown } from '../egress/foreign-text.ts';
import type { Prepared } from '../policy/confirmations/confirm.ts';
import { withMargin } from '../resilience/timeouts.ts';
import type { Routed } from '../routing/decision.ts';
import { askLeave } from './gate.ts';
import type { RoadPorts } from './ports.ts';
import type { Run } from './run.ts';
import { attemptOf } from './send.ts';

const SAYS_CHARS_MAX = 2_000;
/** Codes that a person can read aloud, up to those that a program makes. Five tries are few for four digits, too. */
const CODE = /^[\x21-\x7e]{4,128}$/;
const EXPIRES_MS = { min: 1_000, max: 86_400_000 };

/**
 * Asks the target to prepare what it is to do, and to make a code for it. It must do nothing yet:
 * whatever becomes of this, the call has not been executed.
 */
export async function prepareAt(
  run: Run,
  { decision, id }: { decision: Routed; id: string },
  deadline: Deadline,
  ports: RoadPorts,
): Promise<Prepared> {
  const { agentId } = decision.instance.row;
  const leave = await askLeave(run, decision, deadline, ports);
  const startedAt = ports.clock.monotonic();
  const attempt = {
    ...attemptOf(run, decision, deadline, ports),
    confirmation: id,
    isPreparation: true,
  };
  try {
    const outcome = await attemptOnce(attempt, ports.link, ports.board);
    run.answeredAt = ports.clock.monotonic();
    const ms = run.answeredAt - startedAt;
    run.agentMs += ms; // It was asked, and this is its time, whether or not it did what it is for.
    const hadItsTime = attempt.gatewayMs >= withMargin(decision.provider.capability.sla.timeout_ms);
    leave.ended(outcome.ok ? undefined : outcome.error, { ms, hadItsTime });
    if (outcome.ok) return readPrepared(outcome.result, agentId);
    const { code, message, facts } = outcome.error;
    throw new ReachError(code, `Not prepared, so not done: ${message}`, {
      ...facts,
      executed: 'no',
    });
  } catch (thrown) {
    leave.unused();
    throw thrown;
  }
}

function readPrepared(result: unknown, agentId: string): Prepared {
  const { code, preview, expires_in_ms, out_of_band } = (result ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || !CODE.test(code)) {
    throw unreadable(agentId, 'code must be 4 to 128 visible ASCII characters');
  }
  if (preview !== undefined && typeof preview !== 'string') {
    throw unreadable(agentId, 'preview must be a text');
  }
  const isGoodTime =
    expires_in_ms === undefined ||
    (typeof expires_in_ms === 'number' &&
      Number.isInteger(expires_in_ms) &&
      expires_in_ms >= EXPIRES_MS.min &&
      expires_in_ms <= EXPIRES_MS.max);
  if (!isGoodTime) {
    throw unreadable(agentId, `expires_in_ms must be ${EXPIRES_MS.min} to ${EXPIRES_MS.max}`);
  }
  return {
    code,
    says: preview === undefined ? undefined : shown(preview, SAYS_CHARS_MAX),
    expiresInMs: expires_in_ms,
    isToldElsewhere: out_of_band === true,
  };
}

function unreadable(agentId: string, why: string): ReachError {
  return new ReachError('bad-response', `${agentId} prepared what cannot be read: ${why}.`, {
    agent: agentId,
    executed: 'no',
  });
}
