import { HEADERS } from '@agent-reach/core';
import { FetchFailure, type FetchResponse } from '@agent-reach/core/kernel';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';

/** What one look at an instance found. `step` names where it failed. */
export type ProbeResult =
  | { passed: true; rttMs: number; detail: string; isVerified: boolean }
  | {
      passed: false;
      step: 'resolve' | 'connect' | 'health';
      detail: string;
      advice: string;
      /** It was refused, or answered; what is not answered at all may be lost on the way. */
      isDefinite: boolean;
      /** Another instance answers at the address. */
      isStranger?: true;
    };

/** A health answer is small; more would be an attack on the prober. */
const HEALTH_BYTES_MAX = 64 * 1024;

/**
 * Looks at an instance once: its health path, never real work. Passing means: it could be
 * resolved and connected, answered 2xx in time, and, if it says who it is, is who we think.
 */
export async function probe(
  target: ProbeTarget,
  ports: Pick<RegistryPorts, 'fetch' | 'clock' | 'options' | 'doubt'>,
): Promise<ProbeResult> {
  const url = `${target.baseUrl}${target.healthPath}`;
  const timeoutMs = probeTimeoutMs(ports);
  const startedAt = ports.clock.monotonic();
  let response: FetchResponse;
  try {
    response = await ports.fetch({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs,
      responseBytesMax: HEALTH_BYTES_MAX,
    });
  } catch (failure) {
    if (!(failure instanceof FetchFailure)) throw failure;
    return toResult(failure, url, timeoutMs);
  }
  const rttMs = ports.clock.monotonic() - startedAt;
  const { said, stranger } = whoAnswers(response, target);
  if (stranger !== undefined) {
    return {
      passed: false,
      step: 'health',
      detail: `${url} is answered by ${stranger}, not by ${target.agentId} (${target.instanceId}).`,
      advice: 'Another process took this address. Register the agent with its present address.',
      isDefinite: true,
      isStranger: true,
    };
  }
  if (response.status < 200 || response.status > 299) {
    return {
      passed: false,
      step: 'health',
      isDefinite: true,
      detail: `GET ${url} answered ${response.status}.`,
      advice:
        'Answer 200 there when the agent can work, or set network.health_path to where it does.',
    };
  }
  const detail = `GET ${url} answered ${response.status}.`;
  return { passed: true, rttMs, detail, isVerified: said };
}

/** Who is looked for, and where. */
interface ProbeTarget {
  agentId: string;
  instanceId: string;
  /** Of the process that registered, if it said one. */
  bootId: string | undefined;
  baseUrl: string;
  healthPath: string;
}

/** A gateway that doubts itself waits longer for others, and never past the next probe. */
function probeTimeoutMs({ options, doubt }: Pick<RegistryPorts, 'options' | 'doubt'>): number {
  const { probeTimeoutMs: usualMs, probeIntervalMs } = options;
  return Math.min(usualMs * doubt.probePatience, Math.max(usualMs, probeIntervalMs));
}

/** Where to look at an instance, or undefined when it has no address. */
export function probeTarget(instance: Instance, healthPath: string): ProbeTarget | undefined {
  const { agentId, instanceId, bootId, baseUrl } = instance.row;
  return baseUrl === undefined ? undefined : { agentId, instanceId, bootId, baseUrl, healthPath };
}

function toResult(failure: FetchFailure, url: string, timeoutMs: number): ProbeResult {
  switch (failure.kind) {
    case 'bad-url':
    case 'resolve':
    case 'refused-address':
      return {
        passed: false,
        step: 'resolve',
        isDefinite: true,
        detail: failure.message,
        advice:
          'Use a name or address that the gateway’s machine resolves and its egress.allow permits.',
      };
    case 'connect':
    case 'tls':
      return {
        passed: false,
        step: 'connect',
        isDefinite: true,
        detail: failure.message,
        advice:
          'Start the agent, and see that it listens on this address for the gateway’s machine.',
      };
    case 'timeout':
    case 'reset':
    case 'too-large':
    case 'aborted':
      return {
        passed: false,
        step: failure.sent ? 'health' : 'connect',
        isDefinite: failure.kind === 'too-large',
        detail: `GET ${url}: ${failure.message}`,
        advice: `Answer the health path within ${timeoutMs} ms and without real work.`,
      };
  }
}

/**
 * Whether it is said who answers, in the body or in a header, and who, if that is somebody else.
 * Agents that do not say who they are pass.
 */
function whoAnswers(
  { headers, body }: FetchResponse,
  target: ProbeTarget,
): { said: boolean; stranger?: string } {
  const told = identityIn(body);
  const { agentId, bootId, instanceId = headers[HEADERS.instance] } = told;
  const said = instanceId !== undefined;
  if (agentId !== undefined && agentId !== target.agentId) return { said, stranger: cut(agentId) };
  if (instanceId !== undefined && instanceId !== target.instanceId) {
    return { said, stranger: `${target.agentId} (${cut(instanceId)})` };
  }
  if (bootId !== undefined && target.bootId !== undefined && bootId !== target.bootId) {
    return { said, stranger: `another process of ${target.agentId} (boot ${cut(bootId)})` };
  }
  return { said };
}

interface Told {
  agentId?: string;
  instanceId?: string;
  bootId?: string;
}

/** Health answers need not be JSON. */
function identityIn(body: Uint8Array): Told {
  let told: unknown;
  try {
    told = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return {};
  }
  if (typeof told !== 'object' || told === null) return {};
  const {
    agent_id: agentId,
    instance_id: instanceId,
    boot_id: bootId,
  } = told as Record<string, unknown>;
  return {
    ...(typeof agentId === 'string' ? { agentId } : {}),
    ...(typeof instanceId === 'string' ? { instanceId } : {}),
    ...(typeof bootId === 'string' ? { bootId } : {}),
  };
}

/** A name as another one gives it. */
function cut(name: string): string {
  return name.slice(0, 128);
}
