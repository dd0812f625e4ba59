import type { ReachError } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';

/** More than are ever away at once; the oldest is forgotten, and told again. */
const AWAY_MAX = 1_000;

/**
 * Tells the log what fallbacks cover up: once when a capability cannot be reached, and once when it
 * is again. Callers have their answers, so nobody else would complain of it.
 */
export class FallbackWatch {
  readonly #log: Log;
  /** How many requests turned away from each, by `tenant/capability`. */
  readonly #away = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes that what was asked for could not be reached, and something is to stand in. */
  turned({ tenant, asked }: { tenant: string; asked: string }, why: ReachError): void {
    const key = `${tenant}/${asked}`;
    const requests = this.#away.get(key) ?? 0;
    this.#away.set(key, requests + 1);
    if (requests > 0) return;
    const [oldest] = this.#away.keys();
    if (this.#away.size > AWAY_MAX && oldest !== undefined) this.#away.delete(oldest);
    const { request_id, trace_id } = why.facts;
    const said = { tenant, capability: asked, code: why.code, why: why.message };
    this.#log.warn(
      { ...said, request_id, trace_id },
      'a capability cannot be reached, its fallbacks are turned to',
    );
  }

  /** Notes that a capability answered itself. */
  reached(tenant: string, capability: string | undefined): void {
    if (this.#away.size === 0 || capability === undefined) return;
    const key = `${tenant}/${capability}`;
    const requests = this.#away.get(key);
    if (requests === undefined) return;
    this.#away.delete(key);
    const said = { tenant, capability, requests };
    this.#log.info(said, 'a capability is reached again without its fallbacks');
  }
}
