import { EVEN, type Evenness, type Skew } from './imbalance.ts';

/** An imbalance that lasts. */
export interface Imbalance extends Skew {
  /** Wall clock. */
  since: number;
}

/** Which capabilities are unevenly shared now: a figure for people, by `tenant/capability`. */
export class ImbalanceBook {
  readonly #seen = new Map<string, { evenness: Evenness; told: Imbalance | undefined }>();

  of(tenant: string, capability: string): Imbalance | undefined {
    return this.#seen.get(`${tenant}/${capability}`)?.told;
  }

  evennessOf(name: string): Evenness {
    return this.#seen.get(name)?.evenness ?? EVEN;
  }

  /** Notes the state of a capability; what is even is forgotten. */
  note(name: string, evenness: Evenness, told: Imbalance | undefined): void {
    if (evenness.is === 'even' && evenness.aboveSince === undefined) this.#seen.delete(name);
    else this.#seen.set(name, { evenness, told });
  }

  /** Names of capabilities that were uneven at the last look. */
  names(): string[] {
    return [...this.#seen.keys()];
  }
}
