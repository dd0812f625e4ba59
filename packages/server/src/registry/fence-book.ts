import {
  type Fence,
  type FenceDoc,
  type Fenced,
  holds,
  nameOf,
  NO_FENCES,
  timesOf,
} from './fence-machine.ts';

/** The name of the document in the store. */
export const FENCES = 'fences';

interface Kept {
  version: number;
  doc: FenceDoc;
  /** The last fence of each instance, by its name. */
  last: ReadonlyMap<string, Fence>;
}

/** All fences, as they were read last: a copy of the stored documents, one a tenant. */
export class FenceBook {
  readonly #docs = new Map<string, Kept>();

  /** Takes in a document, unless a later one is known; whether it did. */
  take(tenant: string, version: number, doc: FenceDoc): boolean {
    if (version <= this.versionOf(tenant)) return false;
    const last = new Map(doc.fences.map((fence) => [nameOf(fence), fence]));
    this.#docs.set(tenant, { version, doc, last });
    return true;
  }

  /** The latest epoch of which this gateway knows; 0: nobody was ever fenced. */
  versionOf(tenant: string): number {
    return this.#docs.get(tenant)?.version ?? 0;
  }

  /** The fence that holds for one; undefined: none does. Asked of everybody once a second. */
  fenceOf(tenant: string, who: Fenced, now: number): Fence | undefined {
    const last = this.#docs.get(tenant)?.last.get(nameOf(who));
    return last !== undefined && last.addr === who.addr && holds(last, now) ? last : undefined;
  }

  /** How often it was fenced in the last ten minutes. */
  timesOf(tenant: string, who: Omit<Fenced, 'addr'>, now: number): number {
    return timesOf(this.#docs.get(tenant)?.doc ?? NO_FENCES, who, now);
  }
}
