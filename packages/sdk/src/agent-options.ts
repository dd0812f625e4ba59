import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Log } from '@agent-reach/core/kernel';
import type { ManifestHead } from './manifest.ts';
import type { ReachOptions } from './reach.ts';

/** Who an agent is and how it lives. Only `name` is needed. */
export interface AgentOptions extends ManifestHead {
  /** The gateway; see `ReachOptions.endpoint`. */
  endpoint?: ReachOptions['endpoint'];
  /** Of a client that is bound to this agent; see `ReachOptions.credentials`. */
  credentials?: ReachOptions['credentials'];
  /**
   * Whose calls and tasks are taken. `signed`: what the gateway signed with the key of
   * `credentials`; anything else gets 401. Default: `signed` with a signing key, else `any`.
   */
  accept?: 'signed' | 'any' | undefined;
  /**
   * Further names, with their port where it is not 80 or 443, under which the gateway reaches this
   * agent, where something before it keeps the name in `Host`. That of `baseUrl` is one already.
   */
  publicAuthorities?: readonly string[] | undefined;
  /** Where to listen. Default `127.0.0.1`: seen from this machine only. */
  host?: string | undefined;
  /**
   * Default 0: any free port, another one after each restart. An agent that only handles tasks opens
   * none unless this or `baseUrl` is given: it asks for its work, so nobody need reach it.
   */
  port?: number | undefined;
  /**
   * The address at which the gateway reaches this agent. Default `http://host:port`; must be given
   * when `host` is a wildcard such as `0.0.0.0`, which is nobody's address.
   */
  baseUrl?: string | undefined;
  /**
   * Default: the gateway derives one from `baseUrl`, so that a restart takes the same place again.
   * Without an address: the machine's name with something new for each process.
   */
  instanceId?: string | undefined;
  /** A fixed interval. Default: the gateway says how often it wants to hear. */
  heartbeatMs?: number | undefined;
  /**
   * Calls at once, and besides them so many tasks. More calls are answered 503 `agent-busy`, and
   * the gateway asks another; more tasks are not asked for. Default 100 calls and 4 tasks.
   */
  maxConcurrency?: number | undefined;
  /**
   * Tasks held ready beside those that run. More keeps places busy when tasks are short; each may
   * wait here while another process is idle. Default 0 for up to 4 tasks at once, else 1.
   */
  prefetch?: number | undefined;
  /**
   * How long a stopping agent still takes calls from those who were sent to it before they could
   * know. Shorter stops sooner and refuses some. Default 1 000.
   */
  lingerMs?: number | undefined;
  /**
   * How long a stopping agent waits for running handlers before it aborts them, and gives back
   * those tasks that may run again. Default 30 000.
   */
  drainMs?: number | undefined;
  /** Stop on SIGTERM and SIGINT, then end the process. Default true. */
  handleSignals?: boolean | undefined;
  /** Default: JSON lines on standard error, from `info` on. */
  log?: Log | undefined;
}

/** Whether a host is every address of a machine, and so nobody's. */
export function isWildcard(host: string | undefined): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** A host and its port as they stand in a URL. */
export function authorityOf(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Throws a `TypeError` for an address that nobody could call. */
export function demandAddress({ host, baseUrl }: AgentOptions): void {
  if (!isWildcard(host) || baseUrl !== undefined) return;
  throw new TypeError(
    `${host} is every address and no address: say baseUrl, where the gateway calls.`,
  );
}

/**
 * Who asks for work has no address that would name it. Two processes must not pass for one, and a
 * person should see where they run.
 */
export function pullerId(bootId: string): string {
  const machine = hostname()
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return `${machine.slice(0, 100) || 'host'}-${bootId.slice(0, 8)}`;
}
