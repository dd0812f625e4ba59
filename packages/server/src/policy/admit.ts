import { type Asker, type CallRequest, HEADERS, type RouteRequest } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import { type CallChain, readCallToken } from './call-token.ts';
import { demandDepth } from './chain.ts';
import { type Envelope, readEnvelope, single } from './envelope.ts';
import {
  type IdempotencyKey,
  identify,
  judgeRecord,
  type KeptOutcome,
  type Pinned,
} from './idempotency.ts';
import type { Permits } from './grants.ts';
import type { PolicyPorts } from './ports.ts';
import { type TraceSpot, traceSpot } from './trace.ts';

/** A request that may run the road, with all that is certain of it. */
export interface Admission {
  tenant: string;
  principal: string;
  /** The agent that the principal's credential is bound to; else the principal. */
  actsFor: string;
  /** Who began the chain of calls. */
  root: string;
  /** `agent/capability` of each call above this one. */
  path: readonly string[];
  requestId: string;
  envelope: Envelope;
  trace: TraceSpot;
  /** When the caller gives up; undefined: it did not say. */
  deadline: Deadline | undefined;
  /** The key of an explicit idempotency key, or of the request id where that serves as one. */
  key: IdempotencyKey | undefined;
  /** True when the caller named the key itself: then reads are kept under it, too. */
  keyIsExplicit: boolean;
  /** The outcome that is already kept under the key. */
  kept: KeptOutcome | undefined;
  /** What an earlier request with this key was bound to, whatever became of it. */
  pinned: Pinned | undefined;
  /** Which offers the principal may have. */
  permits: Permits;
  signal: AbortSignal;
}

/**
 * The first step of the road: who asks, and may he ask at all. Envelope, chain and depth, trace,
 * deadline, then a look at the key. No side effect: nothing is claimed or counted here.
 *
 * `requestIdIsKey` says whether what is asked for may be a declared write: then a request id that
 * the caller sent stands in for a missing key (seed D).
 */
export async function admit(
  request: CallRequest | RouteRequest,
  asker: Asker,
  requestIdIsKey: (envelope: Envelope) => boolean,
  ports: PolicyPorts,
): Promise<Admission> {
  const envelope = readEnvelope(request, asker.headers);
  const chain = presentedChain(asker, ports);
  const path = chain?.path ?? [];
  demandDepth(path, ports.options.depthMax);
  const trace = traceSpot(
    {
      header: single(asker.headers, HEADERS.traceparent),
      body: request.context?.trace_id,
      chain,
    },
    asker.tenant,
    ports.ids,
  );
  const principal = callerOf(asker, chain);
  const keyIsExplicit = envelope.idempotencyKey !== undefined;
  const keyText =
    envelope.idempotencyKey ?? (requestIdIsKey(envelope) ? envelope.requestId : undefined);
  const key =
    keyText === undefined
      ? undefined
      : keyOf(keyText, { tenant: asker.tenant, principal }, envelope);
  return {
    tenant: asker.tenant,
    principal,
    actsFor: asker.client?.actsAs ?? principal,
    root: chain?.root ?? principal,
    path,
    requestId: envelope.requestId ?? ports.ids.next('call'),
    envelope,
    trace,
    deadline:
      envelope.patienceMs === undefined ? undefined : Deadline.in(ports.clock, envelope.patienceMs),
    key,
    keyIsExplicit,
    ...(key === undefined ? NOTHING_KEPT : await keptUnder(key, ports)),
    permits: ports.permitsFor(asker.tenant, asker.principal),
    signal: asker.signal,
  };
}

function presentedChain(asker: Asker, ports: PolicyPorts): CallChain | undefined {
  const token = single(asker.headers, HEADERS.callToken);
  if (token === undefined) return undefined;
  const chain = readCallToken(token, ports.clock.now(), ports.tokenKey);
  // A token of another tenant proves nothing here.
  return chain.tenant === asker.tenant ? chain : undefined;
}

/** In open mode a nested call that does not name itself is made by whom the token was given to. */
function callerOf(asker: Asker, chain: CallChain | undefined): string {
  if (asker.principal !== 'anonymous') return asker.principal;
  return chain?.path.at(-1)?.split('/')[0] ?? asker.principal;
}

function keyOf(
  key: string,
  who: { tenant: string; principal: string },
  envelope: Envelope,
): IdempotencyKey {
  const { capability, intent, tags, agent, version } = envelope;
  return identify({
    ...who,
    key,
    selector: {
      ...(capability === undefined ? {} : { capability }),
      ...(intent === undefined ? {} : { intent }),
      ...(agent === undefined ? {} : { agent }),
      ...(version === undefined ? {} : { version }),
      tags,
    },
    params: envelope.params,
    onBehalfOf: envelope.onBehalfOf,
  });
}

type Kept = Pick<Admission, 'kept' | 'pinned'>;

const NOTHING_KEPT: Kept = { kept: undefined, pinned: undefined };

async function keptUnder(key: IdempotencyKey, ports: PolicyPorts): Promise<Kept> {
  const record = await ports.ledger.lookup({ scope: key.scope, key: key.key, now: ports.now() });
  if (record === undefined) return NOTHING_KEPT;
  const found = judgeRecord(record, key);
  const pinned = JSON.parse(record.pinned) as Pinned;
  return { kept: 'state' in found ? undefined : found, pinned };
}
