/**
 * Stored documents of one kind as whoever decides by them looks at them: a copy in memory, one a tenant,
 * of the latest version that is known here.
 */
export abstract class TenantDocs<Doc, Read = Doc> {
  readonly #known = new Map<string, { version: number; read: Read }>();

  /** Takes in a document, unless a later one is known. */
  take(tenant: string, version: number, doc: Doc): void {
    if (version < this.versionOf(tenant)) return;
    const before = this.known(tenant);
    const read = this.read(doc, tenant);
    this.#known.set(tenant, { version, read });
    this.taken(tenant, read, before);
  }

  /** 0: nothing was ever written. */
  versionOf(tenant: string): number {
    return this.#known.get(tenant)?.version ?? 0;
  }

  /** What is decided by; undefined: nothing was ever written. */
  protected known(tenant: string): Read | undefined {
    return this.#known.get(tenant)?.read;
  }

  /** A document, in the form in which it is asked. */
  protected abstract read(doc: Doc, tenant: string): Read;

  /** Told after a document was taken in. */
  protected taken(_tenant: string, _read: Read, _before: Read | undefined): void {}
}
