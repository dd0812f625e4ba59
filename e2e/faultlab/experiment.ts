import type { Random } from '@agent-reach/core/kernel';
import type { Evidence } from './evidence.ts';
import type { Fault } from './rules.ts';
import type { World } from './site.ts';

/** What a round is given. */
export interface Round extends World {
  /** Chooses the moments; its seed repeats them as far as processes can be repeated. */
  random: Random;
  /** The small form, which runs in CI. */
  isShort: boolean;
  /** From 0. */
  number: number;
}

/** What came of a round. */
export interface Outcome {
  /** Judged by P1 to P5. */
  evidence: Evidence;
  /** What this experiment demands beside them, and did not get. */
  faults: Fault[];
  /** Measured, told and not judged: name with unit → values. */
  measured: Record<string, number[]>;
}

/** One way to hurt a running system, and what must hold all the same. */
export interface Experiment {
  id: string;
  title: string;
  /** Rounds of a full run. */
  rounds: number;
  /** Why it cannot be run in this world or on this machine; undefined: it can. */
  missing?: (world: World) => string | undefined | Promise<string | undefined>;
  round: (round: Round) => Promise<Outcome>;
}

/** Collects what an experiment demands by itself. */
export class Demands {
  readonly faults: Fault[] = [];

  that(holds: boolean, detail: string, task?: string): void {
    if (!holds) this.faults.push({ rule: 'own', detail, ...(task === undefined ? {} : { task }) });
  }
}
