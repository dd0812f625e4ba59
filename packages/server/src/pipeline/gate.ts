import { ReachError } from '@agent-reach/core';
import type { Deadline } from '@agent-reach/core/kernel';
import { timeNeededMs } from '../policy/bind.ts';
import { keepPace } from '../policy/rate.ts';
import { agentKey } from '../resilience/board.ts';
import { toldOf } from '../resilience/circuits.ts';
import { agentLimitMs, withMargin } from '../resilience/timeouts.ts';
import { verdictOn } from '../resilience/verdict.ts';
import type { Routed } from '../routing/decision.ts';
import { endpointsOf } from '../routing/presence.ts';
import type { RoadPorts } from './ports.ts';
import { type Run, tenth } from './run.ts';

// Design. Before a request is sent it needs a place at its endpoint and the leave of its breaker, in
// this order: who waits in line while the endpoint fails learns it when his turn comes, and is not
// sent after the others. What is refused here was not sent.
//
// One bound each: a manifest's `max_concurrency` counts everything that is at the instance; where it
// says nothing, calls are counted by capability. Tasks that are pushed have been counted by the
// dispatcher, which looks at what is in flight: they never wait here. Agents that pull have a line of
// their own, the mailbox.

/** Leave to send one request. Whoever has it says how it ended, or nothing was learned. */
export interface Leave {
  ended(error: ReachError | undefined, took: { ms: number; hadItsTime: boolean }): void;
  /** Nothing was learned of the endpoint. */
  unused(): void;
}

/** An answer counts as slow that took longer than this part of what its capability declares. */
const SLOW_PART = 0.9;
const RETRY_AFTER_MS = { min: 1_000, max: 60_000 };

/**
 * Asks leave to send one request to what was decided; waits for a place if it must. Throws
 * `circuit-open` where the endpoint fails and is left alone for now, `rate-limited` where its agent
 * takes no more a second, `agent-busy` where too many wait, `deadline-exceeded` where its time was over before its turn.
 */
export async function askLeave(
  run: Run,
  decision: Routed,
  deadline: Deadline,
  ports: RoadPorts,
): Promise<Leave> {
  const { provider, instance } = decision;
  const { capability, agent } = provider;
  const { circuits } = ports.board;
  const name = { endpoint: instance.key, capability: capability.name };
  if (circuits.blockedMs(name) > 0) throw circuitOpen(decision, ports);
  await keepDeclaredPace(run, decision, ports);
  const free = await takePlace(run, decision, deadline, ports);
  const limitMs = agentLimitMs(capability.sla, run.admission.envelope.askedMs);
  const pass = circuits.enter(name, Math.min(withMargin(limitMs), deadline.remainingMs()));
  if (pass === undefined) {
    free();
    throw circuitOpen(decision, ports);
  }
  const at = { tenant: run.admission.tenant, capability: capability.name };
  const target = agentKey(at.tenant, agent.definition.agentId);
  const common = {
    isConnector: agent.definition.manifest.kind === 'connector',
    rivals: () => endpointsOf(at, ports.routing),
  };
  return {
    ended(error, { ms, hadItsTime }) {
      const verdict = verdictOn(error, hadItsTime);
      const isSlow = verdict !== 'neutral' && ms > limitMs * SLOW_PART;
      circuits.leave(name, pass, { ...common, verdict, isSlow });
      if (verdict !== 'neutral') ports.board.retries.note(target, verdict === 'success');
      free();
    },
    unused() {
      circuits.leave(name, pass, { ...common, verdict: 'neutral', isSlow: false });
      free();
    },
  };
}

/**
 * What a manifest says that its agent takes a second, of all its instances and from all gateways;
 * undefined: it says nothing.
 */
function keepDeclaredPace(run: Run, { provider }: Routed, { policy }: RoadPorts) {
  const { capability, agent } = provider;
  const qps = capability.sla.max_qps;
  if (qps === undefined) return undefined;
  const of = `${run.admission.tenant}/${agent.definition.agentId}/${capability.name}`;
  return keepPace({ policy: 'capability', of, qps }, policy);
}

const nothing = () => {};

/** Takes a place at the endpoint, at once if one is free; what is returned gives it back. */
function takePlace(
  run: Run,
  decision: Routed,
  deadline: Deadline,
  ports: RoadPorts,
): (() => void) | Promise<() => void> {
  const { provider, instance } = decision;
  const { board, bulkhead } = ports;
  if (instance.row.mode === 'pull') return nothing;
  const declared = provider.agent.definition.manifest.max_concurrency;
  const isPush = run.delivery !== undefined;
  if (isPush) return declared === undefined ? nothing : board.bulkhead.occupy(instance.key);
  const { name: capability, sla } = provider.capability;
  const { typicalMs } = board.of(instance.key);
  const needMs = timeNeededMs({ agentMs: sla.timeout_ms, typicalMs });
  const entering = board.bulkhead.enter(
    declared === undefined ? `${instance.key}/${capability}` : instance.key,
    { running: declared ?? bulkhead.running, waiting: bulkhead.waiting },
    { waitMs: Math.max(0, deadline.remainingMs() - needMs), signal: run.admission.signal },
  );
  if (!(entering instanceof Promise) && entering.is === 'inside') return entering.free;
  return inLine(entering, run, decision, ports);
}

/** Waits for a place to become free. */
async function inLine(
  entering: ReturnType<RoadPorts['board']['bulkhead']['enter']>,
  run: Run,
  decision: Routed,
  ports: RoadPorts,
): Promise<() => void> {
  const { board, clock } = ports;
  const { instance } = decision;
  const since = clock.monotonic();
  const wait = board.awaits(instance.key);
  const entrance = await entering;
  wait();
  const waitedMs = clock.monotonic() - since;
  run.waitedMs += waitedMs;
  if (entrance.is === 'inside') return entrance.free;
  throw notEntered(entrance, { decision, waitedMs }, ports);
}

type NotEntered = Exclude<
  Awaited<ReturnType<RoadPorts['board']['bulkhead']['enter']>>,
  { is: 'inside' }
>;

function notEntered(
  entrance: NotEntered,
  { decision, waitedMs }: { decision: Routed; waitedMs: number },
  { board, bulkhead }: RoadPorts,
): ReachError {
  const { instance, provider } = decision;
  const { agentId, instanceId } = instance.row;
  const who = `${agentId} (${instanceId})`;
  const facts = { agent: agentId, capability: provider.capability.name, executed: 'no' } as const;
  switch (entrance.is) {
    case 'full': {
      const running = provider.agent.definition.manifest.max_concurrency ?? bulkhead.running;
      const rounds = (entrance.waiting + 1) / running;
      const guessMs = Math.ceil(rounds * (board.of(instance.key).typicalMs ?? 0));
      const waitMs = Math.min(RETRY_AFTER_MS.max, Math.max(RETRY_AFTER_MS.min, guessMs));
      const detail = `${who} has ${running} requests at once, and ${entrance.waiting} more wait for a place.`;
      return new ReachError('agent-busy', detail, { ...facts, retry_after_ms: waitMs });
    }
    case 'late': {
      const detail = `No place at ${who} became free within ${tenth(waitedMs)} ms. Nothing was sent.`;
      return new ReachError('deadline-exceeded', detail, facts);
    }
    case 'gone':
      return new ReachError('cancelled', 'The caller went away.', facts);
  }
}

function circuitOpen({ provider, instance }: Routed, { board }: RoadPorts): ReachError {
  const { agentId, instanceId } = instance.row;
  const { name: capability } = provider.capability;
  const circuit = board.circuits.of({ endpoint: instance.key, capability });
  const why = circuit === undefined ? 'circuit open' : toldOf(circuit);
  return new ReachError('circuit-open', `${agentId} (${instanceId}), ${capability}: ${why}.`, {
    agent: agentId,
    capability,
    executed: 'no',
    retry_after_ms: Math.ceil(circuit?.blockedMs ?? 0),
  });
}
