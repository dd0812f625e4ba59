/** Names by what they are called. Nearly every key has one name, and needs no set for it. */
export class NamesByKey {
  readonly #names = new Map<string, string | Set<string>>();

  add(key: string, name: string): void {
    const known = this.#names.get(key);
    if (known === undefined) this.#names.set(key, name);
    else if (typeof known !== 'string') known.add(name);
    else if (known !== name) this.#names.set(key, new Set([known, name]));
  }

  delete(key: string, name: string): void {
    const known = this.#names.get(key);
    if (known === name) this.#names.delete(key);
    if (typeof known !== 'object') return;
    known.delete(name);
    const [only] = known;
    if (known.size === 1 && only !== undefined) this.#names.set(key, only);
  }

  /** In their order; undefined: none is called that. */
  of(key: string): string[] | undefined {
    const known = this.#names.get(key);
    if (known === undefined) return undefined;
    return typeof known === 'string' ? [known] : [...known].sort();
  }
}
