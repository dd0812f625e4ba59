import type { Diagnosis, DiagnosisStep } from '@agent-reach/core';
import { endedAgo } from './ago.ts';
import type { AgentEntry, Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { toldOf } from '../resilience/circuits.ts';
import { type ProbeResult, probe, probeTarget } from './probe.ts';
import { take } from './prober.ts';
import { whyNotRoutable } from './routable.ts';
import { circuitsOf } from './view.ts';

/**
 * Tries to reach an instance now and says, step by step in the order in which things are needed,
 * what works: name, connection, health, heartbeat, and whether a route would take it. What
 * it finds counts like any probe.
 */
export async function diagnose(
  entry: AgentEntry,
  instance: Instance,
  ports: RegistryPorts,
): Promise<Diagnosis> {
  const steps: DiagnosisStep[] = [];
  const target = probeTarget(instance, entry.definition.manifest.network.health_path);
  if (target === undefined) {
    steps.push({
      step: 'address',
      verdict: 'skipped',
      detail: 'It has no address: it pulls its work.',
    });
  } else {
    const result = await probe(target, ports);
    await take(instance, result, ports);
    steps.push(...probeSteps(target.baseUrl, result));
  }
  steps.push(heartbeatStep(instance, ports), snapshotStep(instance));
  steps.push(circuitStep(entry, instance, ports));
  const failing = steps.find((step) => step.verdict === 'failed');
  return {
    reachable: failing === undefined,
    instance_id: instance.row.instanceId,
    ...(failing === undefined ? {} : { failing_step: failing.step }),
    steps,
  };
}

const PROBE_STEPS = ['resolve', 'connect', 'health'] as const;

function probeSteps(baseUrl: string, result: ProbeResult): DiagnosisStep[] {
  if (result.passed) {
    return PROBE_STEPS.map((step) => ({
      step,
      verdict: 'passed',
      detail: step === 'health' ? result.detail : `${baseUrl} can be ${PAST[step]}.`,
      ...(step === 'health' ? { ms: Math.round(result.rttMs * 10) / 10 } : {}),
    }));
  }
  const at = PROBE_STEPS.indexOf(result.step);
  return PROBE_STEPS.map((step, i) => {
    if (i < at) return { step, verdict: 'passed', detail: `${baseUrl} can be ${PAST[step]}.` };
    if (i > at) return { step, verdict: 'skipped', detail: `Not tried: ${result.step} failed.` };
    return { step, verdict: 'failed', detail: result.detail, advice: result.advice };
  });
}

const PAST = { resolve: 'resolved', connect: 'connected to', health: 'asked' } as const;

function heartbeatStep(instance: Instance, ports: RegistryPorts): DiagnosisStep {
  const { row } = instance;
  const now = ports.clock.now();
  if (row.leaseEndsAt <= now) {
    return {
      step: 'heartbeat',
      verdict: 'failed',
      detail: `The last heartbeat came ${endedAgo(row.lastHeartbeatAt, now)}; the lease is over.`,
      advice: `POST /v1/agents/${row.agentId}/heartbeat every ${(row.heartbeatIntervalMs || ports.options.heartbeatIntervalMs) / 1000} s.`,
    };
  }
  return {
    step: 'heartbeat',
    verdict: 'passed',
    detail: `Heard ${endedAgo(row.lastHeartbeatAt, now)}; the lease holds ${Math.ceil((row.leaseEndsAt - now) / 1000)} s more.`,
  };
}

/** A breaker shuts off one capability: the instance as a whole only where it does so of all. */
function circuitStep(
  entry: AgentEntry,
  instance: Instance,
  { board }: RegistryPorts,
): DiagnosisStep {
  const circuits = circuitsOf(entry, instance, board);
  if (circuits.length === 0) {
    return { step: 'circuit', verdict: 'passed', detail: 'No circuit is open.' };
  }
  const told = circuits.map(({ capability, circuit }) => `${capability}: ${toldOf(circuit)}`);
  const detail = `${told.join('; ')}.`;
  const blocked = circuits.filter(({ circuit }) => circuit.blockedMs > 0).length;
  const isAll = blocked === entry.definition.manifest.capabilities.length;
  if (!isAll) return { step: 'circuit', verdict: 'passed', detail };
  return {
    step: 'circuit',
    verdict: 'failed',
    detail,
    advice: 'Look at what the agent answers; a few calls are let through when the time is over.',
  };
}

function snapshotStep(instance: Instance): DiagnosisStep {
  const why = whyNotRoutable(instance);
  if (why === undefined) {
    return { step: 'snapshot', verdict: 'passed', detail: 'Routes take this instance.' };
  }
  return {
    step: 'snapshot',
    verdict: 'failed',
    detail: `No route takes this instance: ${why}.`,
    advice: 'Cure the step that failed above; the gateway looks again by itself.',
  };
}
