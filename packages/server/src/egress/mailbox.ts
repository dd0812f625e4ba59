import { isTaskEnd, parseTraceparent, ReachError } from '@agent-reach/core';
import type { Ids } from '@agent-reach/core/kernel';
import type { Now } from '../storage/spi/now.ts';
import type { TaskRow, TasksStore } from '../storage/spi/tasks.ts';
import type { Attempt, AttemptOutcome, Link } from './link.ts';

/** What the mailbox works with. Those who wait and those who are woken are above this room. */
export interface MailboxPorts {
  store: Pick<TasksStore, 'submit' | 'cancel' | 'get'>;
  ids: Ids;
  now: () => Now;
  /** Calls that may wait for one agent. */
  pendingMax: number;
  /** Told that there is something to fetch. */
  posted: (row: TaskRow) => void;
  /**
   * Resolves when the task has ended, has been waited for (`ms`, or until `signal`), or is not to be
   * fetched any more because the gateway stops.
   */
  over: (
    name: { tenant: string; taskId: string },
    ms: number,
    signal?: AbortSignal,
  ) => Promise<'ended' | 'waited' | 'stopping'>;
}

/** Somebody waits for a call: it goes before tasks of people who do not. */
const PRIORITY = 9;

/**
 * The link to agents that pull: a call is a waited task of kind `call` with one attempt, which its
 * instance fetches by the same claim as tasks. Whoever gives up takes it back; it
 * provably did not run if nobody had fetched it.
 */
export function mailboxLink(ports: MailboxPorts): Link {
  return async (attempt) => {
    const taskId = ports.ids.next('call');
    const name = { tenant: attempt.tenant, taskId };
    const [posted] = await ports.store.submit({
      tasks: [taskOf(attempt, taskId)],
      pendingMax: ports.pendingMax,
      reserve: 0,
      now: ports.now(),
    });
    if (posted?.outcome !== 'accepted') return notPosted(attempt);
    ports.posted(posted.row);
    const how = await ports.over(name, attempt.gatewayMs, attempt.signal);
    let task = await ports.store.get(name);
    if (task !== undefined && !isTaskEnd(task.state)) {
      const reason = how === 'stopping' ? 'the gateway stops' : 'its caller gave up';
      await ports.store.cancel({ ...name, tree: false, reason, now: ports.now() });
      task = await ports.store.get(name);
    }
    if (task === undefined) return failed(attempt, 'internal', 'The call was lost.');
    if (how === 'stopping' && task.state === 'cancelled' && task.deliveries === 0) {
      return failed(attempt, 'overloaded', 'The gateway is stopping.', 'no');
    }
    return outcomeOf(task, attempt);
  };
}

function taskOf(attempt: Attempt, taskId: string) {
  const { traceId = '' } = parseTraceparent(attempt.traceparent) ?? {};
  return {
    tenant: attempt.tenant,
    taskId,
    taskType: attempt.capability,
    kind: 'call' as const,
    fingerprint: taskId,
    principal: attempt.caller,
    traceId,
    agentId: attempt.agentId,
    home: attempt.instanceId,
    priority: PRIORITY,
    attemptsMax: 1,
    selector: JSON.stringify({
      capability: attempt.capability,
      tags: {},
      strictTags: false,
      requestId: attempt.requestId,
      root: attempt.caller,
      path: [],
      spanId: '0000000000000001',
      flags: 1,
      ...(attempt.onBehalfOf === undefined ? {} : { onBehalfOf: attempt.onBehalfOf }),
      ...(attempt.userStamp === undefined ? {} : { userStamp: attempt.userStamp }),
      ...(attempt.sourceId === undefined ? {} : { sourceId: attempt.sourceId }),
      call: {
        traceparent: attempt.traceparent,
        callToken: attempt.callToken,
        ...(attempt.idempotencyKey === undefined ? {} : { idempotencyKey: attempt.idempotencyKey }),
      },
    }),
    payload: JSON.stringify(attempt.params ?? {}),
    deadlineMs: Math.max(1, Math.ceil(attempt.gatewayMs)),
  };
}

function outcomeOf(task: TaskRow & { result?: string }, attempt: Attempt): AttemptOutcome {
  if (task.state === 'succeeded') {
    return { ok: true, status: 200, result: JSON.parse(task.result ?? 'null') as unknown };
  }
  const reason = task.reason ?? 'it gave no reason';
  const { cause } = task;
  if (cause === 'refused' || cause === 'refused-late') return refused(reason, attempt);
  if (cause === 'cancelled' || cause === 'timeout') return unanswered(task, attempt);
  return failed(attempt, 'agent-error', `${attempt.agentId} failed: ${reason}`, 'unknown');
}

/** Its time was up, or its caller left: who never had it did not run it. */
function unanswered({ deliveries }: TaskRow, attempt: Attempt): AttemptOutcome {
  const executed = deliveries === 0 ? 'no' : 'unknown';
  if (attempt.signal?.aborted === true) {
    return failed(attempt, 'cancelled', 'The caller went away.', executed);
  }
  const missed = deliveries === 0 ? 'come for the call' : 'answer';
  const detail = `${attempt.agentId} did not ${missed} within ${Math.round(attempt.gatewayMs)} ms.`;
  return failed(attempt, 'deadline-exceeded', detail, executed);
}

/** The agent's own verdict, or ours on its result. */
function refused(reason: string, attempt: Attempt): AttemptOutcome {
  const [code = ''] = reason.split(':', 1);
  if (code === 'schema-drift') return failed(attempt, code, reason.slice(code.length + 2));
  if (code === 'result-too-large') return failed(attempt, 'bad-response', reason);
  return failed(attempt, 'agent-rejected', `${attempt.agentId} refused: ${reason}`, 'yes');
}

function notPosted(attempt: Attempt): AttemptOutcome {
  const detail = `${attempt.agentId} has more calls waiting than it may.`;
  return failed(attempt, 'agent-busy', detail, 'no');
}

function failed(
  { agentId, capability }: Attempt,
  code: ReachError['code'],
  detail: string,
  executed?: 'no' | 'yes' | 'unknown',
): AttemptOutcome {
  const facts = { agent: agentId, capability, ...(executed === undefined ? {} : { executed }) };
  const error = new ReachError(code, detail, facts);
  return { ok: false, status: executed === 'yes' ? error.status : 0, error };
}

/** Sends where there is an address, and leaves in the mailbox where there is none. */
export function linkByMode(http: Link, mailbox: Link): Link {
  return (attempt) => (attempt.baseUrl === '' ? mailbox(attempt) : http(attempt));
}
