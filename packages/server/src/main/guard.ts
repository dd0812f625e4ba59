import {
  type Asker,
  type AuditRecord,
  HEADERS,
  type Handlers,
  OPERATIONS,
  type Operation,
  type OperationName,
  ReachError,
} from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import type { Dispatch } from '../ingress/http/server.ts';
import { authenticateOpen } from '../policy/authenticate.ts';
import type { Authenticated, Credentials } from '../policy/clients/authenticate.ts';
import { type Claims, demandMayAsk, type Standing, standingOf } from '../policy/permit.ts';
import { type Intake, takeIn } from './intake.ts';
import type { Stream, Streams } from './streams.ts';
import { forAudit } from '../telemetry/redact.ts';
import type { Recorder } from '../telemetry/recorder.ts';

/** What the guard needs. */
export interface GuardPorts {
  handlers: Handlers;
  /** Finds out who asks by what he shows; absent: nobody is asked. */
  authenticate?: ((said: Credentials) => Promise<Authenticated>) | undefined;
  /** Whether who was let in before would be let in still, by what he showed then. */
  authenticateAgain?:
    | ((said: Credentials, who: Authenticated) => Promise<Authenticated>)
    | undefined;
  recorder: Recorder;
  clock: Clock;
  log: Log;
  intake: Intake;
  streams: Streams;
}

type AnyHandler = (input: Record<string, unknown>, asker: Asker) => unknown;

/** Who asks, and how it is asked anew whether he may. */
interface Let {
  standing: Standing;
  recheck: (() => Promise<void>) | undefined;
}

/**
 * Wraps every handler once, driven by the columns of the operation table: authenticate, role, take in,
 * handler, audit. No handler does any of this itself, so none can forget it.
 */
export function guard(ports: GuardPorts): Dispatch {
  return async (name, input, door, message) => {
    const operation: Operation = OPERATIONS[name];
    const handler = ports.handlers[name] as unknown as AnyHandler;
    const { authenticate } = ports;
    const { standing: who, recheck }: Let =
      authenticate === undefined || operation.auth === 'public'
        ? { standing: whoSaysHe(operation, input, door.headers), recheck: undefined }
        : await whoIs(
            name,
            input,
            { headers: door.headers, peer: door.peer, message },
            { ...ports, authenticate },
          );
    const asker: Asker = { ...door, ...who };
    if (operation.stream !== undefined) {
      const begin = (signal: AbortSignal) => handler(input, { ...asker, signal }) as Stream;
      return ports.streams.open({ tenant: who.tenant, gone: door.signal, recheck }, begin);
    }
    const rates = takeIn(name, input, who, ports.intake);
    if (rates !== undefined) {
      const told = await rates;
      if (door.told !== undefined) door.told.rates = told;
    }
    // The road writes its own lines: it alone knows what was executed.
    // Awaited here: a promise that is handed on is waited for in three turns instead of one.
    if (operation.audited !== 'door') return await handler(input, asker);
    const at = ports.clock.now();
    try {
      const output = await handler(input, asker);
      await ports.recorder.audit(lineOf(name, input, who, { at, outcome: 'ok', executed: 'yes' }));
      return output;
    } catch (thrown) {
      const error = ReachError.from(thrown);
      const { code: outcome, executed } = error;
      if (outcome === 'internal')
        ports.log.error({ err: thrown, operation: name }, 'a handler failed');
      ports.recorder.auditSoon(lineOf(name, input, who, { at, outcome, executed }));
      throw error;
    }
  };
}

/** The client that the credential is one of, if it may ask for this. A refusal leaves its line. */
async function whoIs(
  name: OperationName,
  input: Record<string, unknown>,
  said: Credentials,
  ports: GuardPorts & { authenticate: NonNullable<GuardPorts['authenticate']> },
): Promise<Let> {
  const at = ports.clock.now();
  const found = await ports.authenticate(said);
  const who = standingOf(found);
  const demands = { auth: OPERATIONS[name].auth, claims: claimsOf(input, said.headers) };
  try {
    demandMayAsk(found, demands);
  } catch (thrown) {
    const { code: outcome, executed } = ReachError.from(thrown);
    ports.recorder.auditSoon(lineOf(name, input, who, { at, outcome, executed }));
    throw thrown;
  }
  const { authenticateAgain: again } = ports;
  const recheck = again && (async () => demandMayAsk(await again(said, found), demands));
  return { standing: who, recheck };
}

/** What a request says of itself, in the body and beside it. */
function claimsOf(input: Record<string, unknown>, headers: Asker['headers']): Claims {
  return { agentId: input['agent_id'], tenants: [input['tenant'], headers[HEADERS.tenant]] };
}

/**
 * In open mode a request is believed what it calls itself. For operations of callers and agents
 * that is `agent_id`; for those of operators `agent_id` names the target, and nobody said who asks.
 */
function whoSaysHe(
  operation: Operation,
  input: Record<string, unknown>,
  headers: Asker['headers'],
): Standing {
  const saysItself = operation.auth === 'caller' || operation.auth === 'agent';
  const { agentId, tenants } = claimsOf(input, headers);
  return authenticateOpen({
    agentId: saysItself ? (agentId ?? nameIn(input['manifest'])) : undefined,
    tenants: [...tenants],
  });
}

function lineOf(
  name: OperationName,
  input: Record<string, unknown>,
  { tenant, principal }: Standing,
  end: Pick<AuditRecord, 'at' | 'outcome' | 'executed'>,
): AuditRecord {
  const target = targetOf(input);
  return {
    ...end,
    tenant,
    principal,
    operation: name,
    ...(target === undefined ? {} : { target }),
    params: forAudit(withoutPayload(input)),
  };
}

/**
 * What a task carries is shown with its edits, and no schema says here what of it is secret. What people
 * said is nobody's business here, and would leave no room for the rest.
 */
function withoutPayload(input: Record<string, unknown>): Record<string, unknown> {
  const { payload, utterances } = input;
  return {
    ...input,
    ...(payload === undefined ? {} : { payload: IN_EDITS }),
    ...(Array.isArray(utterances) ? { utterances: `[${utterances.length} utterances]` } : {}),
  };
}

const IN_EDITS = '[see the edits of the task]';

function targetOf(input: Record<string, unknown>): string | undefined {
  return nameIn(input) ?? nameIn(input['manifest']);
}

/** The agent or document that an input or a manifest is about, whatever its form calls it. */
function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { agent_id, agent_name, connector, name, policy } = value as Record<string, unknown>;
  const named = agent_id ?? agent_name ?? connector ?? name ?? policy;
  return typeof named === 'string' ? named.slice(0, 128) : undefined;
}
