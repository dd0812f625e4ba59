import { FetchFailure, type FetchResponse } from '@agent-reach/core/kernel';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';

/** What one look at an instance found. `step` names where it failed. */
export type ProbeResult =
  | { passed: true; rttMs: number; detail: string }
  | { passed: false; step: 'resolve' | 'connect' | 'health'; detail: string; advice: string };

/** A health answer is small; more would be an attack on the prober. */
const HEALTH_BYTES_MAX = 64 * 1024;

/**
 * Looks at an instance once: its health path, never real work. Passing means: it could be
 * resolved and connected, answered 2xx in time, and, if it says who it is, is who we think.
 */
export async function probe(
  target: { agentId: string; instanceId: string; baseUrl: string; healthPath: string },
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
  if (response.status < 200 || response.status > 299) {
    return {
      passed: false,
      step: 'health',
      detail: `GET ${url} answered ${response.status}.`,
      advice:
        'Answer 200 there when the agent can work, or set network.health_path to where it does.',
    };
  }
  const stranger = strangerIn(response, target);
  if (stranger !== undefined) {
    return {
      passed: false,
      step: 'health',
      detail: `${url} is answered by ${stranger}, not by ${target.agentId} (${target.instanceId}).`,
      advice: 'Another process took this address. Register the agent with its present address.',
    };
  }
  return { passed: true, rttMs, detail: `GET ${url} answered ${response.status}.` };
}

/** A gateway that doubts itself waits longer for others, and never past the next probe. */
function probeTimeoutMs({ options, doubt }: Pick<RegistryPorts, 'options' | 'doubt'>): number {
  const { probeTimeoutMs: usualMs, probeIntervalMs } = options;
  return Math.min(usualMs * doubt.patience, Math.max(usualMs, probeIntervalMs));
}

/** Where to look at an instance, or undefined when it has no address. */
export function probeTarget(instance: Instance, healthPath: string) {
  const { agentId, instanceId, baseUrl } = instance.row;
  return baseUrl === undefined ? undefined : { agentId, instanceId, baseUrl, healthPath };
}

function toResult(failure: FetchFailure, url: string, timeoutMs: number): ProbeResult {
  switch (failure.kind) {
    case 'bad-url':
    case 'resolve':
    case 'refused-address':
      return {
        passed: false,
        step: 'resolve',
        detail: failure.message,
        advice:
          'Use a name or address that the gateway’s machine resolves and its egress.allow permits.',
      };
    case 'connect':
    case 'tls':
      return {
        passed: false,
        step: 'connect',
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
        detail: `GET ${url}: ${failure.message}`,
        advice: `Answer the health path within ${timeoutMs} ms and without real work.`,
      };
  }
}

/** Who answers, if that is somebody else. Agents that do not say who they are pass. */
function strangerIn(
  response: FetchResponse,
  target: { agentId: string; instanceId: string },
): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(response.body).toString('utf8'));
  } catch {
    return undefined; // Health answers need not be JSON.
  }
  if (typeof body !== 'object' || body === null) return undefined;
  const { agent_id: agentId, instance_id: instanceId } = body as Record<string, unknown>;
  if (typeof agentId === 'string' && agentId !== target.agentId) return agentId.slice(0, 128);
  if (typeof instanceId === 'string' && instanceId !== target.instanceId) {
    return `${target.agentId} (${instanceId.slice(0, 128)})`;
  }
  return undefined;
}
