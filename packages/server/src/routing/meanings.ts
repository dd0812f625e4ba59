import type { Directory } from '../registry/directory.ts';
import type { LearnedBook } from './learned-book.ts';
import { Catalogue } from './meaning/catalogue.ts';

interface Tenant {
  catalogue: Catalogue;
  /** Capabilities whose offers or examples are others than those in the catalogue. */
  stale: Set<string>;
}

/**
 * What the capabilities of every tenant mean. Follows the directory and what was learned: changes
 * are noted at once and indexed in the background, or at the next question, whichever comes first.
 * Names are looked up elsewhere and cost nothing here, and where no intent is read nothing is kept.
 */
export class Meanings {
  readonly #directory: Directory;
  readonly #learned: LearnedBook;
  readonly #tenants = new Map<string, Tenant>();
  #isFollowing = false;

  constructor(directory: Directory, learned: LearnedBook) {
    this.#directory = directory;
    this.#learned = learned;
  }

  /** The catalogue of a tenant as of now. */
  of(tenant: string): Catalogue {
    this.#follow();
    const own = this.#of(tenant);
    for (const name of own.stale) this.#refresh(tenant, own, name);
    return own.catalogue;
  }

  /** The catalogues of all tenants, as they were indexed last. */
  *catalogues(): Iterable<Catalogue> {
    for (const { catalogue } of this.#tenants.values()) yield catalogue;
  }

  /** Indexes up to `most` of what changed; true while there is more. */
  catchUp(most: number): boolean {
    this.#follow();
    let left = most;
    for (const [tenant, own] of this.#tenants) {
      for (const name of own.stale) {
        if (left === 0) return true;
        this.#refresh(tenant, own, name);
        left -= 1;
      }
    }
    return false;
  }

  /** From the first look on: names that are noted and never indexed would pile up. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const directory = this.#directory;
    const note = (at: { tenant: string; capability: string }) => {
      this.#of(at.tenant).stale.add(at.capability);
    };
    directory.offersChanged.on(note);
    this.#learned.changed.on(note);
    for (const tenant of directory.tenants()) {
      for (const { capability } of directory.allOffers(tenant)) {
        note({ tenant, capability: capability.name });
      }
    }
  }

  #refresh(tenant: string, { catalogue, stale }: Tenant, name: string): void {
    stale.delete(name);
    const offers = this.#directory.offers(tenant, name).map(({ agent, capability }) => ({
      agentId: agent.definition.agentId,
      capability,
    }));
    catalogue.put(name, offers, this.#learned.examplesOf(tenant, name));
    const { next } = catalogue;
    if (next !== undefined) stale.add(next);
  }

  /** As many as the directory has tenants. */
  #of(tenant: string): Tenant {
    let own = this.#tenants.get(tenant);
    if (own === undefined) {
      own = { catalogue: new Catalogue(), stale: new Set() };
      this.#tenants.set(tenant, own);
    }
    return own;
  }
}
