import { choice, duration, list, type Option, text, type Values } from '@agent-reach/core/kernel';
import { HTTP_OPTIONS } from '../ingress/http/options.ts';
import { OUTBOUND_OPTIONS } from '../outbound/options.ts';
import { OIDC_OPTIONS } from '../policy/clients/oidc-options.ts';
import { LIMIT_OPTIONS, POLICY_OPTIONS } from '../policy/options.ts';
import { REGISTRY_OPTIONS } from '../registry/options.ts';
import { BREAKER_OPTIONS, BULKHEAD_OPTIONS, RESILIENCE_OPTIONS } from '../resilience/options.ts';
import { EMBEDDER_OPTIONS } from '../routing/embedders/options.ts';
import { ROUTING_OPTIONS } from '../routing/options.ts';
import { TASK_OPTIONS } from '../tasks/options.ts';
import { TELEMETRY_OPTIONS } from '../telemetry/options.ts';
import { STORAGE_OPTIONS } from './storage-options.ts';

const HOUSE_OPTIONS = {
  nodeName: text({
    key: 'node.name',
    default: '',
    doc: 'What this gateway is called in logs, health and the list of gateways. Empty: the name of its machine.',
  }),
  authMode: choice({
    key: 'auth.mode',
    words: ['loopback', 'open', 'required'],
    default: 'loopback',
    doc: '`loopback`: no authentication, and therefore no other address than loopback. `open`: no authentication on any address; whoever reaches the port may do everything. Say it only on a network of your own. `required`: every request but those for health and the API page is signed or shows a token, and nobody may call what no grant allows him.',
  }),
  kekFile: text({
    key: 'secrets.kek.file',
    default: '',
    doc: 'File with 32 bytes in base64 under which the secrets of clients are kept. Empty: one is made in the data folder; a store that gateways share needs a named one, the same for all. Whoever loses it makes all signing keys anew.',
  }),
  egressAllow: list({
    key: 'egress.allow',
    default: [],
    doc: 'Where requests may go: a CIDR block, an address, a host, a host suffix (`*.internal`) or `public`. A gateway on loopback may always reach loopback. Each entry is one more place a forged address may point to.',
  }),
  egressSign: choice({
    key: 'egress.sign',
    words: ['off', 'keyed', 'require'],
    default: 'keyed',
    doc: 'What the gateway sends to agents. `keyed`: signed with the key of the agent’s own client, where it has one. `require`: nothing is sent to an agent without one. `off`: unsigned. Signing costs two hashes for each sending.',
  }),
  stopNoticeMs: duration({
    key: 'stop.notice',
    default: 0,
    min: 0,
    max: 60_000,
    doc: 'How long a stop goes on taking requests while `/readyz` says no already. Behind a balancer: longer than it takes to notice, or what it sends meanwhile finds a closed door. Each stop takes as much longer.',
  }),
  logLevel: choice({
    key: 'log.level',
    words: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'warn',
    doc: 'Least important lines that are written to standard error.',
  }),
} as const;

/** Every option of the gateway, by the room or the part that reads it. */
export const OPTIONS = {
  house: HOUSE_OPTIONS,
  breaker: BREAKER_OPTIONS,
  bulkhead: BULKHEAD_OPTIONS,
  embedder: EMBEDDER_OPTIONS,
  http: HTTP_OPTIONS,
  limits: LIMIT_OPTIONS,
  oidc: OIDC_OPTIONS,
  outbound: OUTBOUND_OPTIONS,
  policy: POLICY_OPTIONS,
  registry: REGISTRY_OPTIONS,
  resilience: RESILIENCE_OPTIONS,
  routing: ROUTING_OPTIONS,
  storage: STORAGE_OPTIONS,
  tasks: TASK_OPTIONS,
  telemetry: TELEMETRY_OPTIONS,
} as const;

/** The values of all options, by room. */
export type Settings = { [Room in keyof typeof OPTIONS]: Values<(typeof OPTIONS)[Room]> };

/** Every option with the place of its value in `Settings`. */
export function allOptions(): { room: keyof Settings; name: string; option: Option<unknown> }[] {
  return (Object.keys(OPTIONS) as (keyof Settings)[]).flatMap((room) =>
    Object.entries(OPTIONS[room] as Record<string, Option<unknown>>).map(([name, option]) => ({
      room,
      name,
      option,
    })),
  );
}
