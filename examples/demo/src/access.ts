import { Reach } from '@agent-reach/sdk';

/** The agents that have a key of their own in the secured demo. */
const AGENTS = ['customer-service', 'orders', 'logistics', 'inventory', 'labels'] as const;
/** They, and the demo as a caller. */
type Client = (typeof AGENTS)[number] | 'demo' | 'alice';

/**
 * Whom each may ask for what. The demo speaks with the customer service and orders labels; only the
 * customer service looks behind the counter. Who is not listed asks nobody.
 */
const MAY: Partial<Record<Client, string[]>> = {
  demo: ['answer_question', 'print_label', 'refund_order'],
  'customer-service': ['query_order_status', 'track_shipment', 'check_stock'],
};

/** What the demo may not have, to show that it does not get it. */
export const FORBIDDEN = 'check_stock';

/** The environment of each client: his own key and nobody else's. */
export type Keys = Readonly<Record<Client, { REACH_CLIENT_ID: string; REACH_KEY: string }>>;

/** Lets everybody of the demo in, by the token that the first start of a gateway prints. */
export async function letIn(endpoint: string, token: string): Promise<Keys> {
  await using admin = new Reach({ endpoint, credentials: { token } });
  const made = [
    ...AGENTS.map((name) => admin.clients.create({ kind: 'agent', agent_id: name })),
    // It reads traces, beside what it may call.
    admin.clients.create({ kind: 'service', client_id: 'demo', role: 'viewer' }),
    // Who looks at refunds: whoever asks for one cannot approve it.
    admin.clients.create({ kind: 'service', client_id: 'alice', role: 'operator' }),
  ];
  const rows = Object.entries(MAY).map(([who, may]) => ({ who, may }));
  await admin.policies.put('grants', { doc: { rows } });
  const keys = (await Promise.all(made)).map(({ client_id: id, kid, secret }) => {
    return [id, { REACH_CLIENT_ID: id, REACH_KEY: `${kid}:${secret}` }] as const;
  });
  return Object.fromEntries(keys) as Keys;
}
