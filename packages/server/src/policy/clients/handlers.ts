import {
  type Asker,
  type ClientView,
  type ClientWithSecret,
  type HandlersOf,
  type Input,
  OPEN_TENANT,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Known } from './book.ts';
import { type ClientDoc, nextKid, stateOf, withKey, withoutKey } from './client.ts';
import { makeKey } from './keys.ts';
import type { ClientPorts } from './ports.ts';
import { type By, change, claimName, taken } from './store.ts';

/** What the clients' noun answers. */
export function clientHandlers(ports: ClientPorts): HandlersOf<'clients'> {
  return {
    'clients.create': (input, asker) => create(input, asker, ports),
    'clients.list': (_, { tenant }) => ({
      clients: ports.book.list(tenant).map((known) => viewOf(known, ports)),
    }),
    'clients.get': ({ client_id: clientId }, { tenant }) => {
      const known = ports.book.of(clientId);
      if (known?.tenant !== tenant) throw unknown(clientId);
      return viewOf(known, ports);
    },
    'clients.rotate': (input, asker) => rotate(input, asker, ports),
    'clients.revoke': async ({ client_id: clientId, kid }, asker) => {
      const move = (client: ClientDoc) => withoutKey(client, kid, ports.clock.now());
      return viewOf(await changePresent(clientId, asker, move, ports), ports);
    },
    'clients.remove': async ({ client_id: clientId }, asker) => {
      let removed = false;
      const move = (client: ClientDoc | undefined) => {
        removed = client !== undefined;
        return client && { ...client, keys: [], removedAt: ports.clock.now() };
      };
      await change(clientId, asker, move, ports);
      return { removed };
    },
  };
}

async function create(
  input: Input<'clients.create'>,
  asker: Pick<Asker, 'tenant' | 'principal'>,
  ports: ClientPorts,
): Promise<ClientWithSecret> {
  const { kind, role, note, agent_id: agentId, for_tenant: forTenant } = input;
  const clientId = input.client_id ?? agentId;
  demandWhole(input, clientId);
  const by: By = { tenant: forTenant ?? asker.tenant, principal: asker.principal };
  // Whoever runs the gateway opens it to others: he is at home in the first tenant.
  if (by.tenant !== asker.tenant && asker.tenant !== OPEN_TENANT) {
    const detail = `Clients of ${by.tenant} are made by its own admins, and by those of ${OPEN_TENANT}.`;
    throw new ReachError('permission-denied', detail);
  }
  const vault = await ports.vault();
  const at = ports.clock.now();
  await claimName(clientId, by, ports);
  const bare: ClientDoc = {
    kind,
    ...(agentId === undefined ? {} : { agentId }),
    ...(role === undefined ? {} : { role }),
    ...(note === undefined ? {} : { note }),
    createdAt: at,
    keysMade: 0,
    keys: [],
  };
  const type = input.key_type ?? (kind === 'person' ? 'token' : 'hmac');
  let made: ReturnType<typeof makeKey> | undefined;
  const known = await change(
    clientId,
    by,
    (present) => {
      if (present !== undefined) throw taken(clientId);
      made = makeKey({ tenant: by.tenant, clientId, kid: nextKid(bare), type }, at, {
        ...ports,
        vault,
      });
      return withKey(bare, made.key);
    },
    ports,
  );
  return withSecret(known, made, ports);
}

/** What audit and tasks call those who are no clients. */
const RESERVED = new Set(['anonymous', 'gateway']);

/** Refuses what contradicts itself, by its field. */
function demandWhole(
  { kind, role, agent_id: agentId }: Input<'clients.create'>,
  clientId: string | undefined,
): asserts clientId is string {
  const issues = [
    ...(kind === 'agent' && agentId === undefined
      ? [{ pointer: '#/agent_id', detail: 'is missing: an agent client is bound to one agent' }]
      : []),
    ...(kind !== 'agent' && agentId !== undefined
      ? [{ pointer: '#/agent_id', detail: `is for kind agent, not for ${kind}` }]
      : []),
    ...(kind === 'agent' && role !== undefined
      ? [{ pointer: '#/role', detail: 'is for people and services: an agent has none' }]
      : []),
    ...(clientId === undefined ? [{ pointer: '#/client_id', detail: 'is missing' }] : []),
    ...(RESERVED.has(clientId ?? '')
      ? [{ pointer: '#/client_id', detail: `may not be ${clientId}: it means something else` }]
      : []),
  ];
  if (issues.length > 0) throw validationFailed('The client', issues);
}

async function rotate(
  { client_id: clientId, key_type: wanted }: Input<'clients.rotate'>,
  asker: Asker,
  ports: ClientPorts,
): Promise<ClientWithSecret> {
  const vault = await ports.vault();
  let made: ReturnType<typeof makeKey> | undefined;
  const move = (client: ClientDoc) => {
    const type = wanted ?? client.keys.at(-1)?.type ?? 'hmac';
    const name = { tenant: asker.tenant, clientId, kid: nextKid(client), type };
    made = makeKey(name, ports.clock.now(), { ...ports, vault });
    return withKey(client, made.key);
  };
  return withSecret(await changePresent(clientId, asker, move, ports), made, ports);
}

async function changePresent(
  clientId: string,
  by: By,
  move: (client: ClientDoc) => ClientDoc,
  ports: ClientPorts,
): Promise<Known> {
  const known = await change(
    clientId,
    by,
    (present) => {
      if (present === undefined) throw unknown(clientId);
      return move(present);
    },
    ports,
  );
  if (known === undefined) throw unknown(clientId);
  return known;
}

function withSecret(
  known: Known | undefined,
  made: ReturnType<typeof makeKey> | undefined,
  ports: ClientPorts,
): ClientWithSecret {
  if (known === undefined || made === undefined) {
    throw new ReachError('internal', 'A client was made and is not there.');
  }
  return { ...viewOf(known, ports), kid: made.key.kid, secret: made.secret };
}

function viewOf({ tenant, clientId, doc }: Known, { clock }: ClientPorts): ClientView {
  const { kind, agentId, role, note, createdAt, keys } = doc;
  return {
    client_id: clientId,
    tenant,
    kind,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(role === undefined ? {} : { role }),
    ...(note === undefined ? {} : { note }),
    created_at: iso(createdAt),
    keys: keys.map((key) => ({
      kid: key.kid,
      type: key.type,
      state: stateOf(key, clock.now()),
      created_at: iso(key.createdAt),
      ...(key.endsAt === undefined ? {} : { ends_at: iso(key.endsAt) }),
    })),
  };
}

function unknown(clientId: string): ReachError {
  return new ReachError('not-found', `No client is called ${clientId}.`);
}
