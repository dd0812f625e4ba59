import type { EpochMs } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';

/** A question that was asked back, so that its answer can be understood. */
export interface Asked {
  tenant: string;
  intent: string;
  /** Names of the capabilities that were offered. */
  options: readonly string[];
  at: EpochMs;
}

/** A dozen megabytes at worst; whoever comes later says his intent again. */
const QUESTIONS_MAX = 5_000;
const KEPT_MS = 3_600_000;

/** What this gateway asked back within the last hour, by route id. Soft: it could all be lost. */
export class Questions {
  readonly #asked = new LRUCache<string, Asked>({ max: QUESTIONS_MAX });

  note(routeId: string, asked: Asked): void {
    this.#asked.set(routeId, asked);
  }

  find(routeId: string, tenant: string, now: EpochMs): Asked | undefined {
    const asked = this.#asked.get(routeId);
    const isGood = asked !== undefined && asked.tenant === tenant && now - asked.at < KEPT_MS;
    return isGood ? asked : undefined;
  }
}
