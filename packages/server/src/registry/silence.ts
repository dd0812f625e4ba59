import type { MonotonicMs } from '@agent-reach/core/kernel';
import {
  BELIEVED,
  type Holding,
  mayStillGo,
  nextHolding,
  type Roll,
  TURN_MS,
} from './silence-machine.ts';

/** Who was declared gone so lately is counted with those that are silent now. */
const AT_ONCE_MS = 10_000;

interface Book {
  holding: Holding;
  /** When somebody was declared gone, of the last minute. */
  went: readonly MonotonicMs[];
}

/** What becomes of the silent of a tenant, and whether that is another answer than before. */
export interface Verdict {
  /** So many of them may be declared gone now. */
  mayGo: number;
  turned: Holding['kind'] | undefined;
}

/** Of each tenant, whether the silence of its instances is believed. In memory; a restart believes. */
export class SilenceBook {
  readonly #books = new Map<string, Book>();

  /** Whether nobody of a tenant is declared gone for now. */
  isHeld(tenant: string): boolean {
    return this.#books.get(tenant)?.holding.kind === 'held';
  }

  /** Tenants of which that is so. */
  get held(): string[] {
    return [...this.#books.keys()].filter((tenant) => this.isHeld(tenant));
  }

  /** Judges the instances of a tenant that are not gone. */
  judge(tenant: string, roll: Roll, now: MonotonicMs): Verdict {
    const { holding: before, went } = this.#books.get(tenant) ?? { holding: BELIEVED, went: [] };
    const lately = went.filter((at) => now - at < TURN_MS);
    const justNow = lately.filter((at) => now - at < AT_ONCE_MS).length;
    const whole = { all: roll.all + justNow, silent: roll.silent + justNow };
    const holding = nextHolding(before, whole, now);
    this.#keep(tenant, { holding, went: lately });
    return {
      mayGo: holding.kind === 'held' ? 0 : mayStillGo(roll.all + lately.length, lately.length),
      turned: holding.kind === before.kind ? undefined : holding.kind,
    };
  }

  /** Notes that one was declared gone. */
  gone(tenant: string, at: MonotonicMs): void {
    const { holding, went } = this.#books.get(tenant) ?? { holding: BELIEVED, went: [] };
    this.#keep(tenant, { holding, went: [...went, at] });
  }

  /** Of tenants without anything to remember nothing is kept. */
  #keep(tenant: string, book: Book): void {
    if (book.holding.kind === 'believed' && book.went.length === 0) this.#books.delete(tenant);
    else this.#books.set(tenant, book);
  }
}
