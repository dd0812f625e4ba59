import {
  type AgentChange,
  type AgentRow,
  type AgentSnapshot,
  rowName,
  rowsHash,
} from '@agent-reach/core';
import type { MonotonicMs } from '@agent-reach/core/kernel';

/** How long a snapshot that looks wrong is kept back: a gateway that lost its agents has them again by then. */
export const HOLD_MS = 60_000;

type Rows = Map<string, AgentRow>;

/**
 * The agents as a reader shall see them: those of the gateway, but for a snapshot in which a capability
 * has lost more than half of its instances, or all, and for which the gateway does not vouch. That one is
 * kept back for a minute, and the last good one shown meanwhile.
 */
export class LastGood {
  /** As the gateway says. */
  #said: Rows = new Map();
  #shown: Rows = new Map();
  #heldUntil: MonotonicMs | undefined;
  /** What is shown is what the gateway said last; false before its first word. */
  #isKnown = false;

  /** What to go by. */
  get rows(): ReadonlyMap<string, AgentRow> {
    return this.#shown;
  }

  /** When what is kept back is believed; undefined: nothing is. */
  get heldUntil(): MonotonicMs | undefined {
    return this.#heldUntil;
  }

  /** Whether the gateway has the same rows as were told here. */
  agrees(hash: string): boolean {
    return rowsHash(this.#said.values()) === hash;
  }

  /** Answers what became different for the reader. */
  snapshot({ agents, confirmed }: AgentSnapshot, now: MonotonicMs): AgentChange[] {
    this.#said = new Map(agents.map((row) => [rowName(row), row]));
    const isDoubtful = this.#isKnown && !confirmed && hasShrunk(this.#shown, this.#said);
    this.#isKnown = true;
    if (!isDoubtful) return this.believe();
    this.#heldUntil ??= now + HOLD_MS;
    return [];
  }

  /** The same, of changes. */
  changes(changes: readonly AgentChange[]): AgentChange[] {
    for (const change of changes) apply(change, this.#said);
    if (this.#heldUntil !== undefined) {
      return hasShrunk(this.#shown, this.#said) ? [] : this.believe();
    }
    for (const change of changes) apply(change, this.#shown);
    return [...changes];
  }

  /** What the gateway says now, whatever is kept back. */
  believe(): AgentChange[] {
    this.#heldUntil = undefined;
    const before = this.#shown;
    this.#shown = new Map(this.#said);
    return differences(before, this.#said);
  }
}

function apply({ old: _, new: state, ...about }: AgentChange, rows: Rows): void {
  if (state === null) rows.delete(rowName(about));
  else rows.set(rowName(about), { ...about, state });
}

function differences(before: Rows, after: Rows): AgentChange[] {
  const changes: AgentChange[] = [];
  for (const [name, row] of before) {
    const { state: old, ...about } = row;
    const now = after.get(name);
    if (now === undefined) changes.push({ ...about, old, new: null });
    else if (JSON.stringify(now) !== JSON.stringify(row)) {
      const { state, ...is } = now;
      changes.push({ ...is, old, new: state });
    }
  }
  for (const [name, { state, ...about }] of after) {
    if (!before.has(name)) changes.push({ ...about, old: null, new: state });
  }
  return changes;
}

/** Whether a capability has lost more than half of its instances, or all. */
export function hasShrunk(before: Rows, after: Rows): boolean {
  const now = instancesOf(after);
  for (const [capability, count] of instancesOf(before)) {
    if ((now.get(capability) ?? 0) < count / 2) return true;
  }
  return false;
}

function instancesOf(rows: Rows): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { instance_id: instance, capabilities } of rows.values()) {
    if (instance === undefined) continue;
    for (const name of capabilities) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
