import { lazily, type Row } from './row.ts';

const watch = () => import('./commands/watch.ts');
const AGENT = { flags: '--agent <id>', says: 'of this agent' };
const CAPABILITY = { flags: '--capability <name>', says: 'of this capability' };

/** The command that goes on telling of agents. */
export const AGENT_WATCH_ROWS: readonly Row[] = [
  {
    path: 'agents watch',
    says: 'Who is there, then every change, until it is stopped',
    flags: [CAPABILITY, AGENT],
    examples: ['reach agents watch --capability query_order_status'],
    run: lazily(async () => (await watch()).watchAgents),
  },
];

/** Commands of decisions about routes. */
export const ROUTE_ROWS: readonly Row[] = [
  {
    path: 'routes watch',
    operands: '[pattern]',
    says: 'Each decision as it is made: candidates, scores, the choice and why',
    flags: [AGENT],
    examples: ['reach routes watch', "reach routes watch 'query_*'"],
    run: lazily(async () => (await watch()).watchRoutes),
  },
  {
    path: 'routes export',
    says: 'The hops of the last hours, newest first, as lines of JSON or CSV',
    flags: [
      { flags: '--hours <n>', says: 'how far back, 1 by default' },
      { flags: '--format <form>', says: 'jsonl or csv' },
      AGENT,
      CAPABILITY,
    ],
    examples: ['reach routes export --hours 24 --format csv > routes.csv'],
    run: lazily(async () => (await watch()).exportRoutes),
  },
];
