import { auditRows } from './audit-rows.ts';
import { type Flag, lazily, type Row } from './row.ts';
import { MEANING_ROWS } from './meaning-rows.ts';
import { DEAD_LETTER_ROWS, TASK_ROWS } from './task-rows.ts';
import { BUDGET_ROWS } from './budget-rows.ts';
import { CAPABILITY_ROWS, CLIENT_ROWS, GRANT_ROWS } from './client-rows.ts';
import { CONFIRMATION_ROWS } from './confirmation-rows.ts';
import { AGENT_WATCH_ROWS, ROUTE_ROWS } from './watch-rows.ts';
import { PIN_ROWS } from './pin-rows.ts';
import { WEIGHT_ROWS } from './weight-rows.ts';

const agents = () => import('./commands/agents.ts');
const calls = () => import('./commands/call.ts');
const traces = () => import('./commands/trace.ts');
const system = () => import('./commands/system.ts');

const INSTANCE: Flag = { flags: '--instance <id>', says: 'only this instance' };
const REASON: Flag = { flags: '--reason <text>', says: 'why, for those who wonder' };

/** What is asked for. */
const WANTED: readonly Flag[] = [
  {
    flags: '--param <name=value>',
    says: 'one parameter; name:=json for what is no text',
    repeats: true,
  },
  { flags: '--intent <text>', says: 'what is wanted, in words, if no capability has the name' },
  { flags: '--tag <key=value>', says: 'a tag that the provider must carry', repeats: true },
  { flags: '--strict-tags', says: 'never relax a tag' },
  { flags: '--strategy <word>', says: 'what decides: auto, exact, tags or semantic' },
  { flags: '--agent <id>', says: 'only this agent may serve' },
];

const SELECTION: readonly Flag[] = [
  ...WANTED,
  { flags: '--fallback <a,b>', says: 'capabilities that may stand in if nobody can be reached' },
  { flags: '--as <id>', says: 'who asks (where the gateway asks nobody)' },
  { flags: '--tenant <id>', says: 'the tenant' },
  { flags: '--trace-id <id>', says: 'join this trace' },
  { flags: '--timeout <time>', says: 'how long to wait: 500ms, 2s' },
  { flags: '--explain', says: 'say why each candidate was taken or left' },
];

const WINDOW: readonly Flag[] = [
  { flags: '--trace <id>', says: 'of this trace' },
  { flags: '--request <id>', says: 'of this request' },
  { flags: '--since <when>', says: '15m (ago), 2026-11-30T05:00:00Z or epoch milliseconds' },
  { flags: '--until <when>', says: 'the same' },
  { flags: '--limit <n>', says: 'at most so many, 100 by default' },
];

/** Every command, in the order of the help. */
export const ROWS: readonly Row[] = [
  {
    path: 'serve',
    says: 'Run a gateway here',
    heading: 'Run:',
    flags: [
      { flags: '--port <port>', says: 'for callers and people; 0: any free one (default 8080)' },
      { flags: '--agent-port <port>', says: 'for agents, or off (default 8081)' },
      { flags: '--host <address>', says: 'where to listen (default 127.0.0.1)' },
      {
        flags: '--data-dir <path>',
        says: 'where everything is kept, or :memory: (default .reach)',
      },
      { flags: '--log-level <level>', says: 'debug, info, warn, error or silent (default warn)' },
      { flags: '--set <option=value>', says: 'any other option of `reach config`', repeats: true },
    ],
    examples: ['reach serve', 'reach serve --port 9090 --set routing.relax=region'],
    run: lazily(async () => (await import('./commands/serve.ts')).serve),
  },
  {
    path: 'health',
    says: 'Whether the gateway works, and on what',
    run: lazily(async () => (await system()).showHealth),
  },
  {
    path: 'gateways',
    says: 'The gateways that share this one’s store',
    run: lazily(async () => (await system()).listGateways),
  },
  {
    path: 'config',
    operands: '[prefix]',
    says: 'Every option with its value and where the value comes from',
    flags: [{ flags: '--changed', says: 'only what is not the default' }],
    run: lazily(async () => (await system()).showConfig),
  },
  {
    path: 'version',
    says: 'The version of this command',
    run: async (use, world) => (await import('./commands/version.ts')).showVersion(use, world),
  },
  {
    path: 'call',
    operands: '[capability] [params]',
    says: 'Call a capability and print its result',
    heading: 'Reach:',
    flags: [
      ...SELECTION,
      { flags: '--key <key>', says: 'idempotency key: one key, one effect' },
      { flags: '--confirmation <code>', says: 'what an earlier try was told it needs' },
    ],
    examples: [
      `reach call query_order_status '{"order_no":"ORD1"}'`,
      'reach call query_order_status --param order_no=ORD1 --param limit:=5 --explain',
      `reach call query_order_status '{"order_no":"ORD1"}' --fallback cached_order_status`,
      'reach call refund_order @refund.json --key refund-ORD1 --timeout 5s',
    ],
    run: lazily(async () => (await calls()).call),
  },
  {
    path: 'route',
    operands: '[capability] [params]',
    says: 'Ask who should do it now, and send nothing',
    flags: SELECTION,
    examples: ['reach route query_order_status --explain', 'reach route --tag region=eu'],
    run: lazily(async () => (await calls()).route),
  },
  {
    path: 'explain',
    operands: '[capability] [params]',
    says: 'Walk the road of a call and say where it would end; nothing is sent',
    flags: [
      ...WANTED,
      { flags: '--as <client>', says: 'whose call it would be; for operators' },
      { flags: '--key <key>', says: 'idempotency key: whether it has an answer already' },
    ],
    examples: [
      `reach explain query_order_status '{"order_no":"ORD1"}'`,
      `reach explain refund_order @refund.json --as order-agent --key refund-ORD1`,
    ],
    run: lazily(async () => (await import('./commands/explain.ts')).explainCall),
  },
  {
    path: 'op',
    operands: '[operation] [input]',
    says: 'Run any operation of the API by its name; without a name, list them',
    examples: [
      'reach op',
      `reach op agents.list '{"q":"order"}'`,
      'reach op agents.register @in.json',
    ],
    run: lazily(async () => (await import('./commands/op.ts')).runOperation),
  },
  {
    path: 'routes decide',
    operands: '[capability] [params]',
    says: 'The same as `reach route`: who should do it now, by name, tags or meaning',
    heading: 'Routes:',
    flags: SELECTION,
    examples: [
      'reach routes decide --intent "我的订单什么时候发货"',
      'reach routes decide --intent "where is my parcel" --explain',
    ],
    run: lazily(async () => (await calls()).route),
  },
  ...MEANING_ROWS,
  {
    path: 'agents list',
    operands: '[words]',
    says: 'List agents, or search them by words',
    heading: 'Agents:',
    flags: [
      { flags: '--capability <name>', says: 'who offers it' },
      { flags: '--tag <tag>', says: 'key or key=value' },
      { flags: '--status <status>', says: 'new, up, degraded, suspect, unreachable, gone, absent' },
      { flags: '--available', says: 'only those that a route could take now' },
      { flags: '--kind <kind>', says: 'agent or connector' },
    ],
    run: lazily(async () => (await agents()).listAgents),
  },
  {
    path: 'agents get',
    operands: '<agent>',
    says: 'Show one agent with its capabilities and instances',
    run: lazily(async () => (await agents()).getAgent),
  },
  ...AGENT_WATCH_ROWS,
  {
    path: 'agents trend',
    operands: '<agent>',
    says: 'How well it could be reached, minute by minute',
    flags: [INSTANCE, { flags: '--minutes <n>', says: 'so many, 60 by default, 1440 at most' }],
    examples: ['reach agents trend order-query-agent --minutes 240'],
    run: lazily(async () => (await import('./commands/trend.ts')).showTrend),
  },
  {
    path: 'agents versions',
    operands: '<agent>',
    says: 'The versions of its manifest, newest first',
    run: lazily(async () => (await agents()).listVersions),
  },
  {
    path: 'agents register',
    operands: '<file>',
    says: 'Register a manifest, YAML or JSON; - reads standard input',
    run: lazily(async () => (await import('./commands/register.ts')).registerAgent),
  },
  {
    path: 'agents remove',
    operands: '<agent>',
    says: 'Take it away',
    flags: [INSTANCE],
    run: lazily(async () => (await agents()).removeAgent),
  },
  {
    path: 'agents drain',
    operands: '<agent>',
    says: 'Give it no new work; what runs may finish',
    flags: [INSTANCE, REASON],
    run: lazily(async () => (await agents()).drainAgent),
  },
  {
    path: 'agents enable',
    operands: '<agent>',
    says: 'Let it have work again',
    flags: [INSTANCE, REASON],
    run: lazily(async () => (await agents()).enableAgent),
  },
  {
    path: 'agents disable',
    operands: '<agent>',
    says: 'Take it out until it is enabled again',
    flags: [INSTANCE, REASON],
    run: lazily(async () => (await agents()).disableAgent),
  },
  {
    path: 'connectors list',
    operands: '[words]',
    says: 'List connectors and their actions',
    run: lazily(async () => (await agents()).listConnectors),
  },
  {
    path: 'connectors register',
    operands: '<file>',
    says: 'Register a connector’s action; - reads standard input',
    run: lazily(async () => (await import('./commands/register.ts')).registerConnector),
  },
  {
    path: 'manifest check',
    operands: '<file>',
    says: 'The joining checklist of a manifest; needs no gateway, fails if an item fails',
    run: lazily(async () => (await import('./commands/manifest.ts')).checkManifest),
  },
  ...TASK_ROWS,
  ...DEAD_LETTER_ROWS,
  ...WEIGHT_ROWS,
  ...PIN_ROWS,
  ...BUDGET_ROWS,
  ...CLIENT_ROWS,
  ...GRANT_ROWS,
  ...CONFIRMATION_ROWS,
  ...CAPABILITY_ROWS,
  {
    path: 'diagnose',
    operands: '<agent>',
    says: 'Try to reach an agent step by step; fails if an instance cannot be reached',
    heading: 'Look:',
    flags: [INSTANCE],
    run: lazily(async () => (await import('./commands/diagnose.ts')).diagnose),
  },
  {
    path: 'trace',
    operands: '<id>',
    says: 'One trace as a waterfall, by its id or the id of a request in it',
    run: lazily(async () => (await traces()).showTrace),
  },
  {
    path: 'traces search',
    says: 'Find hops',
    flags: [
      { flags: '--agent <id>', says: 'from or to this agent' },
      { flags: '--capability <name>', says: 'of this capability' },
      ...WINDOW,
    ],
    examples: ['reach traces search --agent orders --since 15m'],
    run: lazily(async () => (await traces()).searchTraces),
  },
  ...ROUTE_ROWS,
  ...auditRows(WINDOW),
];

/** What the groups of commands are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  agents: 'List, show, register, drain, disable agents',
  connectors: 'List and register connectors',
  manifest: 'Check a manifest before it joins',
  tasks: 'Submit tasks, follow them, and ask why one does not move',
  queues: 'How full, how old and how well reached the queues are',
  orders: 'Whose turn it is among ordered tasks, and what blocks them',
  'dead-letters': 'Read, mend and redrive tasks that are parked',
  clients: 'Let programs and people in, and take their keys away',
  confirmations: 'Say yes or no to what is sensitive, and who must',
  capabilities: 'Let agents offer what others had first',
  grants: 'Say who may have which capability',
  budgets: 'Say what may be used in a month or a minute, and see what is left',
  weights: 'Say how much of the work an agent or a version gets',
  traces: 'Search traces',
  routes: 'Decide, answer what is asked back, measure how intents are read, watch',
  pins: 'Say what only its name reaches, and which phrase goes where',
  calibration: 'See and take back what own labels make of a probability',
  audit: 'Search the audit, verify that nobody changed it, export it',
};

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    flags: '--endpoint <url,…>',
    says: 'a gateway, or several of one store: the next is asked when one fails (default: REACH_ENDPOINT or http://127.0.0.1:8080)',
    repeats: true,
  },
  { flags: '--json', says: 'print the raw data as JSON' },
  { flags: '--verbose', says: 'say all that is known of an error' },
  { flags: '--no-color', says: 'no colours; NO_COLOR says the same' },
];
