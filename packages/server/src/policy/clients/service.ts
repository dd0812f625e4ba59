import { OPEN_TENANT, ReachError } from '@agent-reach/core';
import { inOrder, loop, type Service } from '@agent-reach/core/kernel';
import type { Change } from '../../peers/changes.ts';
import { clientHandlers } from './handlers.ts';
import type { ClientPorts } from './ports.ts';
import { vaultIdOf } from './seal.ts';
import { isClient, readAll, readOne } from './store.ts';

/** How soon a gateway sees what another one wrote if it did not hear of it. */
const REREAD_MS = 5_000;
const FIRST = 'admin';

/**
 * Keeps the copy by which requests are let in: read before the doors open, when another gateway says
 * that it wrote, and now and then for what was not heard.
 */
export function clientService(ports: ClientPorts): Service {
  const listening = new DisposableStack();
  const failed = (error: unknown) => ports.log.error({ err: error }, 'clients could not be read');
  const hear = (change: Change) => {
    if (change.kind === 'rule' && isClient(change)) readOne(change, ports).catch(failed);
  };
  return inOrder([
    {
      async start() {
        listening.use(ports.peers.heard.on(hear));
        listening.use(ports.peers.missed.on(() => void readAll(ports).catch(failed)));
        await readAll(ports);
      },
      stop: async () => listening.dispose(),
    },
    loop({
      clock: ports.clock,
      pauseMs: () => REREAD_MS,
      round: () => readAll(ports),
      onError: failed,
    }),
  ]);
}

/**
 * Makes sure that somebody can come in where everybody must show who he is. The first start of a
 * store without clients makes an admin, whose token `tell` shows once. Refuses to start with a key
 * that does not open what is there: nobody could sign, and nobody would know why.
 */
export async function demandEntrance(
  ports: ClientPorts,
  tell: (token: string) => void,
): Promise<void> {
  const { id } = await ports.vault();
  for (const { clientId, doc } of ports.book.all()) {
    for (const { kept, type } of doc.keys) {
      if (type !== 'hmac' || vaultIdOf(kept) === id) continue;
      throw new ReachError(
        'validation-failed',
        `secrets.kek.file holds another key than the one under which the secret of ${clientId} is kept. Give the gateway the file it had before.`,
      );
    }
  }
  if (ports.book.size > 0) return;
  const make = clientHandlers(ports)['clients.create'];
  const input = { kind: 'person', client_id: FIRST, role: 'admin' } as const;
  try {
    const { secret } = await make(input, {
      tenant: OPEN_TENANT,
      principal: 'gateway',
      peer: '',
      headers: {},
      signal: new AbortController().signal,
    });
    tell(secret);
  } catch (error) {
    // Another gateway was faster, and shows the token.
    if (!ReachError.is(error) || error.code !== 'rule-refused') throw error;
    await readAll(ports);
  }
}
