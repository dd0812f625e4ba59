import type { Clock, EpochMs, MonotonicMs } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { InstanceRow } from '../storage/spi/agents.ts';
import {
  type BeatBounds,
  type BeatPace,
  budgetFloorMs,
  intervalOfLease,
  leaseMsFor,
  nextPace,
} from './beat-machine.ts';
import type { AgentEntry, Directory, Instance } from './directory.ts';
import { spreadOf } from './score-machine.ts';
import type { Scores } from './scores.ts';

/** Settings of beats; see `options.ts`. */
export interface BeatOptions {
  heartbeatIntervalMs: number;
  heartbeatMinMs: number;
  heartbeatMaxMs: number;
  heartbeatBudget: number;
  leaseMinMs: number;
}

/** What beats are paced by. */
export interface BeatPorts {
  clock: Pick<Clock, 'monotonic'>;
  scores: Scores;
  directory: Directory;
  peers: Pick<Peers, 'count'>;
  options: BeatOptions;
  /** Too many of a tenant are silent to believe it: everybody begins anew. */
  isHeld: (tenant: string) => boolean;
}

/** What an instance that beats is told, and how long it is then believed. */
export interface BeatPlan {
  toldMs: number;
  leaseMs: number;
  /** Undefined: it was not paced, its manifest says how often it beats. */
  pace: BeatPace | undefined;
}

/** What an instance was told last, and by which renewal of its lease. */
interface Told extends Pick<BeatPlan, 'toldMs' | 'pace'> {
  at: EpochMs;
}

/** How old the count of all who beat may be. */
const COUNTED_MS = 1_000;

/**
 * How often each instance is asked to beat. Kept in memory alone: of one that beats at another gateway
 * now, or before this one started, the length of its lease says what it may have been told.
 */
export class Beats {
  readonly #ports: BeatPorts;
  readonly #bounds: BeatBounds;
  readonly #told = new WeakMap<Instance, Told>();
  #floor: { ms: number; at: MonotonicMs } | undefined;

  constructor(ports: BeatPorts) {
    const { heartbeatIntervalMs, heartbeatMinMs, heartbeatMaxMs } = ports.options;
    this.#ports = ports;
    this.#bounds = {
      minMs: Math.min(heartbeatMinMs, heartbeatIntervalMs),
      startMs: heartbeatIntervalMs,
      maxMs: Math.max(heartbeatMaxMs, heartbeatIntervalMs),
    };
  }

  /** What an instance that registers is told; `declaredMs` is what its manifest says. */
  first(declaredMs: number | undefined): BeatPlan {
    const toldMs = declaredMs || this.#atLeast(this.#bounds.startMs);
    return { toldMs, leaseMs: this.#leaseMs(toldMs), pace: undefined };
  }

  /** What an instance that beats now is to be told. */
  plan({ definition }: AgentEntry, instance: Instance): BeatPlan {
    const { row } = instance;
    const beforeMs = this.#beforeMs(instance);
    if (definition.manifest.network.heartbeat_interval_ms !== undefined) {
      const toldMs = row.heartbeatIntervalMs || this.#bounds.startMs;
      return { toldMs, leaseMs: this.#leaseMs(toldMs), pace: undefined };
    }
    const pace = this.#ports.isHeld(row.tenant)
      ? undefined
      : nextPace(this.#told.get(instance)?.pace, this.#look(instance), this.#bounds);
    const toldMs = this.#atLeast(pace?.intervalMs ?? this.#bounds.startMs);
    return { toldMs, leaseMs: this.#leaseMs(Math.max(beforeMs, toldMs)), pace };
  }

  /** How often an instance beats, as far as it may have been told; 0: not at all. */
  everyMs(instance: Instance): number {
    const { tenant, agentId, heartbeatIntervalMs } = instance.row;
    if (heartbeatIntervalMs === 0) return 0;
    const { network } = this.#ports.directory.agent(tenant, agentId)?.definition.manifest ?? {};
    const isDeclared = network?.heartbeat_interval_ms !== undefined;
    return isDeclared ? heartbeatIntervalMs : this.#beforeMs(instance);
  }

  /** Notes that the lease was renewed as planned, and the instance is told so. */
  keep(instance: Instance, { toldMs, pace }: BeatPlan, row: InstanceRow): void {
    this.#told.set(instance, { toldMs, pace, at: row.lastHeartbeatAt });
  }

  /** The shortest pause that the budget leaves each instance by now. */
  get floorMs(): number {
    const now = this.#ports.clock.monotonic();
    if (this.#floor === undefined || now - this.#floor.at >= COUNTED_MS) {
      const share = Math.max(this.#countHere(), this.#count() / this.#ports.peers.count);
      this.#floor = { ms: budgetFloorMs(share, this.#ports.options.heartbeatBudget), at: now };
    }
    return this.#floor.ms;
  }

  #atLeast(intervalMs: number): number {
    return Math.round(Math.max(intervalMs, this.floorMs));
  }

  /** Whoever keeps to the first pause, whatever he is told, is believed all the same. */
  #leaseMs(intervalMs: number): number {
    return leaseMsFor(Math.max(intervalMs, this.#bounds.startMs), this.#ports.options.leaseMinMs);
  }

  /** What it was told before, or may have been told by another gateway. */
  #beforeMs(instance: Instance): number {
    const told = this.#told.get(instance);
    const isOurs = told !== undefined && told.at === instance.row.lastHeartbeatAt;
    return isOurs ? told.toldMs : intervalOfLease(instance.row.leaseMs);
  }

  #look(instance: Instance) {
    const { observed, row, scoring } = instance;
    const score = this.#ports.scores.of(instance);
    return {
      at: this.#ports.clock.monotonic(),
      // Who was taken out by hand is well, and is not asked more often for it.
      score: score.steady,
      errors: score.parts.errors,
      spread: spreadOf(scoring.pulse),
      // One that pulls is not probed: it is there.
      isUp: observed === 'up' || (row.mode === 'pull' && observed === 'new'),
    };
  }

  /** Instances that beat anywhere. */
  #count(): number {
    let count = 0;
    for (const { row, observed } of this.#ports.directory.allInstances()) {
      if (row.heartbeatIntervalMs > 0 && observed !== 'gone') count += 1;
    }
    return count;
  }

  /** Those whose last beat came here: clients choose their gateway, and may all choose one. */
  #countHere(): number {
    let count = 0;
    for (const instance of this.#ports.directory.allInstances()) {
      const isHere = this.#told.get(instance)?.at === instance.row.lastHeartbeatAt;
      if (isHere && instance.observed !== 'gone') count += 1;
    }
    return count;
  }
}
