/**
 * The house as data: which rooms exist, where they stand, and whom each may import.
 *
 * `npm run check` holds the code to these tables and ARCHITECTURE.md shows them, so a change of
 * structure is a change of this file. The reasons are in ARCHITECTURE.md; the judging is in
 * `floors.ts`.
 */

/** One row of the table of `packages/server/src`. Every room may also import core. */
export interface RoomRow {
  floor: number;
  /** Paths below `packages/server/src`; rooms that share a row share its rights. */
  rooms: readonly string[];
  holds: string;
  /** All else these rooms may import; `'all'` is for the room that joins the house together. */
  mayImport: readonly string[] | 'all';
}

/** The rooms of the server, ground first. A room that is not named here may not exist. */
export const ROOM_ROWS: readonly RoomRow[] = [
  {
    floor: 1,
    rooms: ['storage/spi'],
    holds:
      'one small interface per store: agents, tasks, events, ledger, traces, rules; the bundle; capabilities as data',
    mayImport: [],
  },
  {
    floor: 1,
    rooms: ['resilience'],
    holds:
      'pure machines: breaker, bulkhead, retry rule and budget, when load turns work away; `board.ts`: per endpoint in flight, pending, outcome window, breaker view (written by egress, pipeline, tasks; read by registry, routing)',
    mayImport: [],
  },
  {
    floor: 1,
    rooms: ['schemas'],
    holds:
      'the JSON Schema engine (Ajv 2020 behind our own grammar, linear-time regex): intake limits, compile, validate, compatibility',
    mayImport: [],
  },
  {
    floor: 1,
    rooms: ['outbound'],
    holds:
      'guarded HTTP: undici, address rules, DNS pinning, pools, own timers; imported by main only, injected everywhere as the `fetch` port',
    mayImport: [],
  },
  {
    floor: 1,
    rooms: ['connectors'],
    holds:
      'connector SPI, secrets, identity map, builtin/{http, sql, queue, mail}; code only, their actions are registry endpoints',
    mayImport: ['schemas'],
  },
  {
    floor: 1,
    rooms: ['ingress/http', 'ingress/grpc', 'ingress/mcp', 'ingress/a2a'],
    holds:
      'doors in: bytes to operations, errors to statuses, streams. Know the operation table, no room',
    mayImport: [],
  },
  {
    floor: 2,
    rooms: ['storage/moves'],
    holds:
      'what drivers do alike: who may speak for a task, what becomes of it, who is next, who keeps a pace (pure, for those that decide in this process); the line on which they listen',
    mayImport: ['storage/spi'],
  },
  {
    floor: 3,
    rooms: ['storage/sqlite', 'storage/redis', 'storage/postgres'],
    holds: 'drivers; one atomic operation a file (tests in memory use sqlite `:memory:`)',
    mayImport: ['storage/spi', 'storage/moves'],
  },
  {
    floor: 2,
    rooms: ['peers'],
    holds:
      'the other gateways on a shared store: who lives, what they tell, which of all does what one alone shall do; soft, and could all be lost',
    mayImport: ['storage/spi'],
  },
  {
    floor: 2,
    rooms: ['telemetry'],
    holds: 'trace records, metrics, audit chain, the live watch',
    mayImport: ['storage/spi'],
  },
  {
    floor: 2,
    rooms: ['registry'],
    holds: 'manifests and versions, leases, agent machine, probing, reachability, the snapshot',
    mayImport: ['storage/spi', 'resilience', 'schemas', 'peers'],
  },
  {
    floor: 2,
    rooms: ['policy'],
    holds:
      'authenticate, clients and their keys, grants, idempotency, quotas, confirmation, intent rules; `admit.ts` and `bind.ts` order them; grants leave as a pure `permits(facts)`',
    mayImport: ['storage/spi', 'resilience', 'peers'],
  },
  {
    floor: 2,
    rooms: ['egress'],
    holds:
      'links out: http, grpc, mcp, a2a, connector, mailbox (a task row of kind `call` for agents that pull), queue. One attempt, under its guard',
    mayImport: ['storage/spi', 'connectors', 'resilience'],
  },
  {
    floor: 3,
    rooms: ['routing'],
    holds:
      'matchers (exact, tags, semantic), schema fit, score, balance, pins, weights, cache, explanation (rendered only when asked)',
    mayImport: ['registry', 'resilience', 'storage/spi', 'peers'],
  },
  {
    floor: 4,
    rooms: ['pipeline'],
    holds: 'the five steps, the reach context, the outcome',
    mayImport: ['policy', 'routing', 'egress', 'resilience', 'telemetry', 'schemas'],
  },
  { floor: 5, rooms: ['calls'], holds: 'synchronous calls', mayImport: ['pipeline'] },
  {
    floor: 5,
    rooms: ['tasks'],
    holds:
      'task machine, submit, dispatcher, claim, settle (through `pipeline.record`), reaper, dead letters, backpressure, order',
    mayImport: ['pipeline', 'resilience', 'storage/spi', 'peers'],
  },
  {
    floor: 6,
    rooms: ['events'],
    holds: 'topics, publish, outbox and fan-out, subscriptions, states, streams',
    mayImport: ['tasks', 'pipeline', 'schemas', 'storage/spi'],
  },
  {
    floor: 7,
    rooms: ['main'],
    holds:
      'configuration, composition, serve; the only room that opens a driver or joins ingress to rooms; wraps every handler once: authenticate → role → handler → audit, driven by columns of the operation table',
    mayImport: 'all',
  },
];

/** The suite that every driver must pass. Exported to users, imported by driver tests only. */
export const CONTRACT_ROOM = 'storage/contract';

const CONTRACT_ROW: RoomRow = {
  floor: 2,
  rooms: [CONTRACT_ROOM],
  holds: 'the contract suite of drivers; imported by their tests only, may use the test kit',
  mayImport: ['storage/spi'],
};

/** Rooms that only main opens, so that nothing else can know which store it stands on. */
export const DRIVER_ROOMS: readonly string[] = [
  'storage/sqlite',
  'storage/redis',
  'storage/postgres',
];

/** Everything that leaves the gateway passes this room, and it is injected: main alone imports it. */
export const OUTBOUND_ROOM = 'outbound';

/** A folder with such a name collects what has no owner. */
export const BUCKET_FOLDERS: readonly string[] = ['utils', 'types', 'common', 'helpers'];

/**
 * Whom each package or top folder may import, through public doors only (the `exports` of its
 * package.json). examples import cli only to start `reach`.
 */
export const PACKAGE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  server: ['core'],
  sdk: ['core'],
  cli: ['core', 'sdk', 'server'],
  console: ['core', 'sdk'],
  examples: ['sdk', 'cli'],
  bench: ['core', 'server', 'sdk', 'cli', 'console'],
  e2e: ['core', 'server', 'sdk', 'cli', 'console'],
  scripts: ['core', 'server', 'sdk', 'cli', 'console'],
};

/** The home called `tests`: every `*.test.ts` file and `testing/` kit. */
export const TESTS_HOME = 'tests';

/**
 * Where each third-party dependency, and each built-in worth guarding, may be imported in
 * `packages/`: a package, or a folder of its `src/`. One that is not listed has no home and may
 * not be imported. bench, e2e and scripts ship to nobody and are free; what only the bench may know,
 * such as the peers it measures beside, is listed so that nothing else takes to it.
 */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  typebox: ['core/protocol'],
  pino: ['core/kernel'],
  fastify: ['server/ingress/http'],
  undici: ['server/outbound', 'sdk'],
  ajv: ['server/schemas'],
  re2js: ['server/schemas'],
  yaml: ['server/ingress/http', 'server/main'],
  // Tokens of others: JWS and key sets are read by those who know every trap of theirs.
  jose: ['server/policy', TESTS_HOME],
  canonicalize: ['core/protocol'],
  'ipaddr.js': ['server/outbound'],
  'lru-cache': [
    'server/outbound',
    'server/schemas',
    'server/routing',
    'server/registry',
    'server/pipeline',
  ],
  // An optional peer, loaded by name where an embedder wants it.
  '@huggingface/transformers': ['server/routing'],
  'node:sqlite': ['server/storage/sqlite'],
  '@redis/client': ['server/storage/redis'],
  pg: ['server/storage/postgres'],
  commander: ['cli'],
  'fast-string-width': ['cli'],
  bullmq: ['bench'],
  'pg-boss': ['bench'],
  'graphile-worker': ['bench'],
  'fast-check': [TESTS_HOME],
  'node:test': [TESTS_HOME, 'server/storage/contract'],
};

/** What the tables say of one room. */
export interface Room {
  name: string;
  floor: number;
  mayImport: readonly string[] | 'all';
}

/** All rooms by name, the contract suite included. */
export const ROOMS: ReadonlyMap<string, Room> = new Map(
  [...ROOM_ROWS, CONTRACT_ROW].flatMap(({ rooms, floor, mayImport }) =>
    rooms.map((name) => [name, { name, floor, mayImport }]),
  ),
);

/** The table of rooms as Markdown, for ARCHITECTURE.md. */
export function renderHouse(): string {
  return table(
    ['floor', 'room', 'lives there', 'may import'],
    [...ROOM_ROWS, CONTRACT_ROW].map((row) => [
      String(row.floor),
      roomsLabel(row.rooms),
      row.holds,
      row.mayImport === 'all' ? 'all' : row.mayImport.join(', ') || '–',
    ]),
  );
}

/** Who may import whom among packages, as Markdown. */
export function renderPackages(): string {
  return table(
    ['package', 'may import'],
    Object.entries(PACKAGE_ARROWS).map(([name, may]) => [name, may.join(', ') || '–']),
  );
}

/** The homes of third-party dependencies as Markdown. */
export function renderHomes(): string {
  return table(
    ['dependency', 'home'],
    Object.entries(HOMES).map(([dependency, homes]) => [dependency, homes.join(', ')]),
  );
}

/** `a/x`, `a/y` become `a/{x, y}`. */
function roomsLabel(rooms: readonly string[]): string {
  const [first = '', ...others] = rooms;
  if (others.length === 0) return first;
  const parent = first.slice(0, first.lastIndexOf('/') + 1);
  return `${parent}{${rooms.map((room) => room.slice(parent.length)).join(', ')}}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
