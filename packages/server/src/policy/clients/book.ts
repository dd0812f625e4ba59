import type { RuleRow } from '../../storage/spi/rules.ts';
import type { ClientDoc, KeyDoc } from './client.ts';
import { secretOf } from './keys.ts';
import type { Vault } from './seal.ts';

/** A client as requests are held to it. */
export interface Known {
  tenant: string;
  clientId: string;
  /** Of its document. */
  version: number;
  doc: ClientDoc;
}

/** A document of a client is called by its id, after this. */
export const CLIENT_PREFIX = 'client:';

/**
 * All clients in memory, as requests are held to them: a copy of the stored documents. Nothing is
 * asked of the store while somebody waits to be let in.
 */
export class ClientBook {
  readonly #clients = new Map<string, Known>();
  readonly #tokens = new Map<string, { clientId: string; kid: string }>();
  /** Clients that are bound to an agent, by tenant and agent: each push asks for them. */
  readonly #agents = new Map<string, Set<string>>();
  /** Opened once: each signature of a client needs its secret. */
  readonly #secrets = new Map<string, Buffer>();

  get size(): number {
    return this.#clients.size;
  }

  /** Takes in a document, unless a later one is known. */
  take({ tenant, name, version, doc }: RuleRow): void {
    const clientId = name.slice(CLIENT_PREFIX.length);
    const before = this.#clients.get(clientId);
    if (before !== undefined && before.version >= version) return;
    const known = { tenant, clientId, version, doc: JSON.parse(doc) as ClientDoc };
    this.#forgetKeys(before);
    this.#clients.set(clientId, known);
    this.#noteAgent(before, known);
    for (const { type, kid, kept } of keysIn(known)) {
      if (type === 'token') this.#tokens.set(kept, { clientId, kid });
    }
  }

  /** Undefined: there is none of this name, or no more. */
  of(clientId: string): Known | undefined {
    const known = this.#clients.get(clientId);
    return known?.doc.removedAt === undefined ? known : undefined;
  }

  /** Those that are bound to an agent. */
  ofAgent(tenant: string, agentId: string): Known[] {
    const ids = this.#agents.get(placeOf(tenant, agentId));
    if (ids === undefined) return [];
    return [...ids].flatMap((clientId) => this.of(clientId) ?? []);
  }

  /** The client and key of a token, by its hash. */
  ofToken(hash: string): { known: Known; key: KeyDoc } | undefined {
    const at = this.#tokens.get(hash);
    return at === undefined ? undefined : this.key(at.clientId, at.kid);
  }

  /** A client's key, in whatever state it is. */
  key(clientId: string, kid: string): { known: Known; key: KeyDoc } | undefined {
    const known = this.of(clientId);
    const key = known?.doc.keys.find((one) => one.kid === kid);
    return known === undefined || key === undefined ? undefined : { known, key };
  }

  /** The secret of a signing key; undefined: it is a token, or the vault does not open it. */
  secretOf({ tenant, clientId }: Known, key: KeyDoc, vault: Vault): Buffer | undefined {
    if (key.type !== 'hmac') return undefined;
    const opened = this.#secrets.get(key.kept);
    if (opened !== undefined) return opened;
    const secret = secretOf(key, { tenant, clientId, kid: key.kid }, vault);
    if (secret !== undefined) this.#secrets.set(key.kept, secret);
    return secret;
  }

  /** Those of a tenant by name. */
  list(tenant: string): Known[] {
    return [...this.#clients.values()]
      .filter((known) => known.tenant === tenant && known.doc.removedAt === undefined)
      .sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
  }

  tenants(): Set<string> {
    return new Set([...this.#clients.values()].map(({ tenant }) => tenant));
  }

  *all(): Iterable<Known> {
    for (const known of this.#clients.values()) if (known.doc.removedAt === undefined) yield known;
  }

  /** A name that was free again may be bound to another agent than before. */
  #noteAgent(before: Known | undefined, { tenant, clientId, doc }: Known): void {
    if (before?.doc.agentId !== undefined) {
      this.#agents.get(placeOf(before.tenant, before.doc.agentId))?.delete(clientId);
    }
    if (doc.agentId === undefined || doc.removedAt !== undefined) return;
    const place = placeOf(tenant, doc.agentId);
    const ids = this.#agents.get(place);
    if (ids === undefined) this.#agents.set(place, new Set([clientId]));
    else ids.add(clientId);
  }

  #forgetKeys(known: Known | undefined): void {
    for (const { kept } of known?.doc.keys ?? []) {
      this.#tokens.delete(kept);
      this.#secrets.delete(kept);
    }
  }
}

function keysIn({ doc }: Known): readonly KeyDoc[] {
  return doc.removedAt === undefined ? doc.keys : [];
}

function placeOf(tenant: string, agentId: string): string {
  return `${tenant}/${agentId}`;
}
