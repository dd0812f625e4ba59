import { type AgentRow, type AgentSnapshot, rowName, rowsHash } from '@agent-reach/core';
import type { Clock, MonotonicMs, Random } from '@agent-reach/core/kernel';
import { ChangeLine, type LinePorts, type Piece } from './change-line.ts';
import {
  byName,
  differences,
  type Interest,
  isOfInterest,
  type RowChange,
  rowsOf,
  seenBy,
} from './change-rows.ts';
import { CALM, changed, type ChangeWindow, told } from './change-window.ts';
import type { Directory } from './directory.ts';

/** What is kept for readers that come again: about 4 MiB a tenant at most. */
const RING_CHANGES_MAX = 10_000;
export const RING_MS = 600_000;
/** How often readers are told where they should stand, so that a lost change is found. */
const MARK_MS = 60_000;
const MARK_JITTER = 0.25;
/** Of a hundred readers that lost their place, one comes for a snapshot each 10 ms; after 5 s all have. */
const RESYNC_MS_EACH = 10;
const RESYNC_MS_MAX = 5_000;

/** What the changes of one tenant are made of. */
export interface TenantChangesPorts {
  tenant: string;
  /** Of this run of the gateway and this tenant: a number of another is not taken for one of these. */
  epoch: string;
  directory: Directory;
  clock: Clock;
  random: Random;
  /** Whether whoever is missing is known to be gone. */
  isConfirmed: () => boolean;
}

interface Told {
  n: number;
  at: MonotonicMs;
  changes: readonly RowChange[];
}

/**
 * The changes of one tenant: what was told last is compared with what is, so that what undid itself
 * is never told, and whatever was not noticed is found when its agent is looked at again.
 */
export class TenantChanges implements Disposable {
  readonly #ports: TenantChangesPorts;
  readonly #lines = new Set<ChangeLine>();
  /** As it was told last, by agent and by name. */
  readonly #rows = new Map<string, Map<string, AgentRow>>();
  readonly #touched = new Set<string>();
  readonly #linePorts: LinePorts;
  #window: ChangeWindow = CALM;
  #timer: Disposable | undefined;
  #marks: Disposable | undefined;
  #ring: Told[] = [];
  #ringChanges = 0;
  #n = 0;
  /** The last number that fell out of the ring: of readers behind it, something is lost. */
  #since = 0;
  /** Messages that readers were sent, for those who count. */
  pushes = 0;

  constructor(ports: TenantChangesPorts) {
    this.#ports = ports;
    const { tenant, directory, clock, random } = ports;
    for (const entry of directory.agents(tenant)) {
      this.#rows.set(entry.definition.agentId, byName(rowsOf(entry)));
    }
    this.#linePorts = {
      snapshot: (interest) => this.#snapshot(interest),
      pause: (signal) => {
        const most = Math.min(RESYNC_MS_MAX, this.#lines.size * RESYNC_MS_EACH);
        return clock.sleep(most * random.next(), signal).catch(() => {}); // Its reader looks.
      },
    };
    this.#markLater();
  }

  get readers(): number {
    return this.#lines.size;
  }

  /** How many changes wait for each reader, for those who look at what it costs. */
  waiting(): number[] {
    return Array.from(this.#lines, (line) => line.waiting);
  }

  /** A reader who comes new, or with the id of what he got last. */
  join(interest: Interest, lastId: string | undefined): ChangeLine {
    const from = lastId === undefined ? undefined : this.#numberOf(lastId);
    if (from === undefined || lastId === undefined) {
      return this.#line(new ChangeLine(interest, { lost: lostBy(lastId) }, this.#linePorts));
    }
    const line = this.#line(new ChangeLine(interest, { rev: lastId }, this.#linePorts));
    for (const { n, changes } of this.#ring) {
      if (n > from) this.#push(line, this.#pieceOf(interest, n, changes));
    }
    return line;
  }

  leave(line: ChangeLine): void {
    this.#lines.delete(line);
  }

  /** An agent, or an instance of it, may be another than before. */
  touch(agentId: string): void {
    this.#touched.add(agentId);
    const now = this.#ports.clock.monotonic();
    this.#window = changed(this.#window, now);
    const dueAt = this.#window.dueAt ?? now;
    this.#timer ??= this.#ports.clock.timer(Math.max(0, dueAt - now), () => this.#flush());
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#marks?.[Symbol.dispose]();
    this.#lines.clear();
  }

  #line(line: ChangeLine): ChangeLine {
    this.#lines.add(line);
    return line;
  }

  #flush(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const now = this.#ports.clock.monotonic();
    const changes = [...this.#touched].flatMap((agentId) => this.#differencesOf(agentId));
    this.#touched.clear();
    this.#window = told(this.#window, now, changes.length > 0);
    if (changes.length === 0) return;
    this.#n += 1;
    this.#keep({ n: this.#n, at: now, changes });
    // Most readers want the same: what they are told is made once.
    const pieces = new Map<string, Piece | undefined>();
    for (const line of this.#lines) {
      const name = nameOf(line.interest);
      if (!pieces.has(name)) pieces.set(name, this.#pieceOf(line.interest, this.#n, changes));
      this.#push(line, pieces.get(name));
    }
  }

  /** What is another at an agent than was told, and takes it for told. */
  #differencesOf(agentId: string): RowChange[] {
    const entry = this.#ports.directory.agent(this.#ports.tenant, agentId);
    const present = entry === undefined ? new Map<string, AgentRow>() : byName(rowsOf(entry));
    const changes = differences(this.#rows.get(agentId) ?? new Map(), present);
    if (entry === undefined) this.#rows.delete(agentId);
    else this.#rows.set(agentId, present);
    return changes;
  }

  #push(line: ChangeLine, piece: Piece | undefined): void {
    if (piece === undefined) return;
    line.push(piece);
    this.pushes += 1;
  }

  #pieceOf(interest: Interest, n: number, changes: readonly RowChange[]): Piece | undefined {
    const seen = seenBy(interest, changes);
    if (seen.length === 0) return undefined;
    const bytes = JSON.stringify(seen).length;
    return { is: 'changes', rev: this.#revOf(n), changes: seen, bytes };
  }

  #keep(one: Told): void {
    this.#ring.push(one);
    this.#ringChanges += one.changes.length;
    const oldest = one.at - RING_MS;
    let gone = 0;
    for (const { n, at, changes } of this.#ring) {
      if (at >= oldest && this.#ringChanges <= RING_CHANGES_MAX) break;
      gone += 1;
      this.#ringChanges -= changes.length;
      this.#since = n;
    }
    if (gone > 0) this.#ring.splice(0, gone);
  }

  #markLater(): void {
    const { clock, random } = this.#ports;
    const waitMs = MARK_MS * (1 - MARK_JITTER + 2 * MARK_JITTER * random.next());
    this.#marks = clock.timer(waitMs, () => {
      this.#lookAtAll();
      const marks = new Map<string, Piece>();
      for (const line of this.#lines) {
        const name = nameOf(line.interest);
        const mark = marks.get(name) ?? this.#markOf(line.interest);
        marks.set(name, mark);
        line.push(mark);
      }
      this.#markLater();
    });
  }

  /** Finds what nobody told of, so that what readers are told is true within a minute at the latest. */
  #lookAtAll(): void {
    for (const agentId of this.#rows.keys()) this.#touched.add(agentId);
    const { directory, tenant } = this.#ports;
    for (const { definition } of directory.agents(tenant)) this.#touched.add(definition.agentId);
    this.#flush();
  }

  #markOf(interest: Interest): Piece {
    const hash = rowsHash(this.#rowsFor(interest));
    return { is: 'mark', rev: this.#revOf(this.#n), hash, confirmed: this.#ports.isConfirmed() };
  }

  #snapshot(interest: Interest): AgentSnapshot {
    const agents = this.#rowsFor(interest);
    return {
      type: 'snapshot',
      rev: this.#revOf(this.#n),
      hash: rowsHash(agents),
      confirmed: this.#ports.isConfirmed(),
      agents,
    };
  }

  #rowsFor(interest: Interest): AgentRow[] {
    const all = [...this.#rows.values()].flatMap((rows) => [...rows.values()]);
    const rows = all.filter((row) => isOfInterest(row, interest));
    return rows.sort((a, b) => (rowName(a) < rowName(b) ? -1 : 1));
  }

  #revOf(n: number): string {
    return `${this.#ports.epoch}.${n}`;
  }

  /** The number of an id; undefined: none of ours, or what came after it is not known any more. */
  #numberOf(id: string): number | undefined {
    const at = id.lastIndexOf('.');
    const digits = id.slice(at + 1);
    if (id.slice(0, at) !== this.#ports.epoch || !/^(?:0|[1-9]\d{0,14})$/.test(digits))
      return undefined;
    const n = Number(digits);
    return n >= this.#since && n <= this.#n ? n : undefined;
  }
}

function lostBy(lastId: string | undefined): 'new' | 'unknown-id' {
  return lastId === undefined ? 'new' : 'unknown-id';
}

function nameOf({ capability, agent }: Interest): string {
  return JSON.stringify([capability, agent]);
}
