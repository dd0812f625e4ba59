import { type Asker, type Input, type Output, ReachError } from '@agent-reach/core';
import { LRUCache } from 'lru-cache';
import { readCallToken } from '../policy/call-token.ts';
import { offerOf } from '../routing/presence.ts';
import type { RoadPorts } from './ports.ts';

type Report = Input<'routes.report'>;
type Reported = Output<'routes.report'>;

/** The longest call began at the end of its decision's time: it is told of when it is over. */
const LATE_MS = 65_000;
/** More tokens than are out at once on a busy gateway; who is dropped could be counted twice. */
const TOKENS_MAX = 20_000;
const CALLERS_MAX = 5_000;
const WINDOW_MS = 60_000;
/** Enough to see that somebody fails, and too few for one caller to talk him down alone. */
const PER_CALLER_MAX = 20;

/** Which reports have counted already. Soft: it could all be lost. */
export class Reports {
  readonly #tokens = new LRUCache<string, true>({ max: TOKENS_MAX });
  readonly #callers = new LRUCache<string, { since: number; count: number }>({ max: CALLERS_MAX });

  /** Why one more does not count; undefined: it does, and is noted. */
  refuse(token: string, caller: string, now: number): string | undefined {
    if (this.#tokens.has(token)) return 'It was told already.';
    const known = this.#callers.get(caller);
    const window = known !== undefined && now - known.since < WINDOW_MS ? known : undefined;
    const count = (window?.count ?? 0) + 1;
    if (count > PER_CALLER_MAX) {
      return `${PER_CALLER_MAX} a minute of one caller count for one instance; the gateway probes by itself.`;
    }
    this.#tokens.set(token, true);
    this.#callers.set(caller, { since: window?.since ?? now, count });
    return undefined;
  }
}

/**
 * Takes in how a call went that never passed here. The token shows that the decision was ours and
 * which agent it named. It counts in the score of the instance like a run of our own, and opens no
 * breaker and marks nobody unreachable: what a caller cannot reach we may.
 */
export function report(input: Report, asker: Asker, ports: RoadPorts, reports: Reports): Reported {
  const { route_id: routeId, call_token: token, instance_id: instanceId } = input;
  const now = ports.clock.now();
  const { tenant, path, spanId, traceId } = readCallToken(
    token,
    now - LATE_MS,
    ports.policy.tokenKey,
  );
  if (tenant !== asker.tenant) {
    throw new ReachError('tenant-mismatch', 'The call token is of another tenant.');
  }
  const [agentId = '', capability = ''] = path.at(-1)?.split('/') ?? [];
  const offer = offerOf({ tenant, agentId, capability }, ports.routing);
  const instance = offer?.agent.instances.get(instanceId);
  const told = { route_id: routeId };
  if (offer === undefined || instance === undefined) {
    const detail = `${agentId} has no instance ${instanceId} that offers ${capability} now.`;
    return { ...told, counted: false, detail };
  }
  const { timeout_ms: declaredMs } = offer.capability.sla;
  const { duration_ms: ms = declaredMs } = input;
  const code = input.ok ? undefined : (input.code ?? 'agent-error');
  // A caller in a hurry proves nothing.
  if (code === 'deadline-exceeded' && ms < declaredMs) {
    const detail = `It had not the ${declaredMs} ms that ${capability} declares.`;
    return { ...told, counted: false, detail };
  }
  const caller = `${asker.principal} ${instance.key}`;
  const why = reports.refuse(`${traceId}/${spanId}`, caller, now);
  if (why !== undefined) return { ...told, counted: false, detail: why };
  ports.board.ended(instance.key, code, ms > declaredMs);
  return { ...told, counted: true, detail: `It counts in the score of ${instanceId}.` };
}
