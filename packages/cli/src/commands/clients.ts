import type { ClientView, ClientWithSecret, Input } from '@agent-reach/core';
import type { Page } from '../render/page.ts';
import { type Column, type Fact, facts } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach clients create`: lets somebody in, and shows his secret this once. */
export async function createClient(use: Use, session: Session): Promise<void> {
  const agent = use.text('agent');
  // The gateway holds the words to its own table and says what is allowed.
  const input = {
    kind: agent !== undefined ? 'agent' : use.on('person') ? 'person' : 'service',
    ...given({
      client_id: use.operand(0),
      agent_id: agent,
      role: use.text('role'),
      note: use.text('note'),
      key_type: use.on('token') ? 'token' : undefined,
      for_tenant: use.text('forTenant'),
    }),
  } as Input<'clients.create'>;
  showSecret(await session.ask('clients.create', input), session);
}

/** `reach clients rotate`: a second key; the first one holds for a day after its use. */
export async function rotateKey(use: Use, session: Session): Promise<void> {
  const type = use.on('token') ? ({ key_type: 'token' } as const) : {};
  const input = { client_id: use.required(0), ...type };
  showSecret(await session.ask('clients.rotate', input), session);
}

/** `reach clients list`. */
export async function listClients(_use: Use, session: Session): Promise<void> {
  const data = await session.ask('clients.list', {});
  session.list(data, data.clients, CLIENTS);
}

/** `reach clients get`. */
export async function getClient(use: Use, session: Session): Promise<void> {
  const view = await session.ask('clients.get', { client_id: use.required(0) });
  session.answer(view, (page) => facts(factsOf(view), page));
}

/** `reach clients revoke`. */
export async function revokeKey(use: Use, session: Session): Promise<void> {
  const input = { client_id: use.required(0), kid: use.required(1) };
  const view = await session.ask('clients.revoke', input);
  session.answer(view, (page) => facts(factsOf(view), page));
}

/** `reach clients remove`. */
export async function removeClient(use: Use, session: Session): Promise<void> {
  const data = await session.ask('clients.remove', { client_id: use.required(0) });
  session.answer(data, () => (data.removed ? 'removed\n' : 'there was none\n'));
}

/** In the form in which a shell takes it: what is shown once should not have to be typed. */
function showSecret(made: ClientWithSecret, session: Session): void {
  session.answer(made, (page) => `${said(made, page)}\n`);
  if (!session.isJson) session.note('The secret is shown this once: keep it where it is needed.');
}

function said({ client_id: clientId, kid, secret, ...view }: ClientWithSecret, page: Page): string {
  const isToken = view.keys.find((key) => key.kid === kid)?.type === 'token';
  const lines = isToken
    ? [`REACH_TOKEN=${secret}`]
    : [`REACH_CLIENT_ID=${clientId}`, `REACH_KEY=${kid}:${secret}`];
  return lines.map((line) => page.paint('cyan', line)).join('\n');
}

function factsOf(view: ClientView): Fact[] {
  return [
    ['client', view.client_id],
    ['tenant', view.tenant],
    ['kind', view.kind],
    ['agent', view.agent_id],
    ['role', view.role],
    ['note', view.note],
    ['since', view.created_at],
    ...view.keys.map((key): Fact => [`key ${key.kid}`, keyText(key)]),
  ];
}

function keyText({ type, state, ends_at: endsAt }: ClientView['keys'][number]): string {
  const end = endsAt === undefined ? '' : state === 'revoked' ? `, ${endsAt}` : ` until ${endsAt}`;
  return `${type}, ${state}${end}`;
}

const CLIENTS: Column<ClientView>[] = [
  { title: 'CLIENT', of: ({ client_id: id }) => id, flexible: true },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'AGENT', of: ({ agent_id: agent }) => agent },
  { title: 'ROLE', of: ({ role }) => role },
  {
    title: 'KEYS',
    of: ({ keys }) =>
      keys
        .filter(({ state }) => state !== 'revoked')
        .map(({ kid, state }) => `${kid} ${state}`)
        .join(', '),
  },
];
