import { ReachError } from '@agent-reach/core';
import type { RuleRow } from '../../storage/spi/rules.ts';
import { CLIENT_PREFIX, type Known } from './book.ts';
import type { ClientDoc } from './client.ts';
import type { ClientPorts } from './ports.ts';

/**
 * Who has which name, in all tenants: a signature names its client and not the tenant, so that a name
 * must lead to one tenant alone. `@` cannot be in a tenant's name.
 */
const NAMES = '@system';

/** Several who change one client at once settle after a few rounds. */
const ROUNDS_MAX = 8;

/** Who changes something, and in which tenant. */
export interface By {
  tenant: string;
  principal: string;
}

/** Takes a name for a tenant. Throws `rule-refused` when it is another one's. */
export async function claimName(clientId: string, by: By, ports: ClientPorts): Promise<void> {
  const { row } = await ports.rules.put({
    tenant: NAMES,
    name: CLIENT_PREFIX + clientId,
    doc: JSON.stringify({ tenant: by.tenant }),
    by: by.principal,
    expectVersion: 0,
    now: ports.now(),
  });
  if (tenantIn(row) !== by.tenant) throw taken(clientId);
}

/**
 * Changes a client by `move`, which is given what is there and runs again if somebody else wrote
 * meanwhile. Answers the client as it stands then. What `move` gives back unchanged is not written.
 */
export async function change(
  clientId: string,
  by: By,
  move: (present: ClientDoc | undefined) => ClientDoc | undefined,
  ports: ClientPorts,
): Promise<Known | undefined> {
  const { rules, book, peers, log } = ports;
  const at = { tenant: by.tenant, name: CLIENT_PREFIX + clientId };
  let row = await rules.get(at);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = row === undefined ? undefined : docIn(row);
    const present = before?.removedAt === undefined ? before : undefined;
    const doc = move(present);
    if (doc === undefined || doc === present) {
      if (row !== undefined) book.take(row);
      return book.of(clientId);
    }
    const answer = await rules.put({
      ...at,
      doc: JSON.stringify(doc),
      by: by.principal,
      expectVersion: row?.version ?? 0,
      now: ports.now(),
    });
    row = answer.row;
    if (answer.outcome === 'conflict') continue;
    book.take(row);
    peers.tell({ kind: 'rule', ...at });
    log.info({ tenant: by.tenant, client: clientId, by: by.principal }, 'a client changed');
    return { tenant: by.tenant, clientId, version: row.version, doc };
  }
  throw new ReachError('overloaded', `${clientId} is changed by too many at once.`, {
    retry_after_ms: 1_000,
  });
}

/** Reads every client of every tenant into the book. */
export async function readAll({ rules, book }: ClientPorts): Promise<void> {
  const names = await rules.list({ tenant: NAMES });
  const tenants = new Set(names.filter(isClient).map(tenantIn));
  for (const tenant of tenants) {
    for (const row of await rules.list({ tenant })) if (isClient(row)) book.take(row);
  }
}

/** Reads one client that another gateway changed. */
export async function readOne(
  at: { tenant: string; name: string },
  { rules, book }: ClientPorts,
): Promise<void> {
  const row = await rules.get(at);
  if (row !== undefined) book.take(row);
}

/** Whether a document is a client's. */
export function isClient({ name }: { name: string }): boolean {
  return name.startsWith(CLIENT_PREFIX);
}

function docIn({ doc }: RuleRow): ClientDoc {
  return JSON.parse(doc) as ClientDoc;
}

function tenantIn({ doc }: RuleRow): string {
  return (JSON.parse(doc) as { tenant: string }).tenant;
}

export function taken(clientId: string): ReachError {
  return new ReachError('rule-refused', `The name ${clientId} is taken: choose another client_id.`);
}
