/**
 * What a transaction is for, which decides how the planner may go about it: one move, several in
 * company, a look at what has a name, a search, or a step of the schema.
 */
export type Purpose = 'move' | 'company' | 'read' | 'search' | 'migration';

/** What settings are made of. */
interface Making {
  url: string;
  schema: string;
  timeoutMs: number;
  isPooled: boolean;
}

/** How sessions and transactions are set up. */
export interface Settings {
  /** For the client, when it makes a connection. */
  connection: { connectionString: string; options?: string };
  /** What transactions begin with. */
  openings: Readonly<Record<Purpose, readonly string[]>>;
}

/**
 * Moves are made for indexes and nested loops over them, so the planner is kept from what it would
 * choose for a table that was empty when it was last analysed. A compiler (`jit`) that takes longer
 * than any statement of ours is of no use.
 *
 * A gateway that is stopped in the middle of a move holds its locks, and everybody up, until the
 * server ends its session: `idle_in_transaction_session_timeout`.
 *
 * All that is said once, when a session begins, and a transaction says what differs for it. Behind a
 * pooler, where the next transaction is in another's session, each says all of it.
 */
export function settingsOf(making: Making): Settings {
  const { url, timeoutMs, isPooled } = making;
  const ours = Object.entries({ ...sessionOf(making), ...INDEXES_ALONE });
  const said = isPooled ? Object.fromEntries(ours) : {};
  return {
    connection: isPooled
      ? { connectionString: url }
      : withOptions(url, ours.map(([name, value]) => `-c ${name}=${value}`).join(' ')),
    openings: {
      move: opening(READ_COMMITTED, said),
      read: opening(READ_COMMITTED, said),
      company: opening(READ_COMMITTED, { ...said, lock_timeout: lockLimitOf(timeoutMs) }),
      search: opening(SNAPSHOT, { ...said, ...ANY_WAY }),
      migration: opening(READ_COMMITTED, { ...said, ...ANY_WAY, ...limits(MIGRATION_MS) }),
    },
  };
}

/** How long a transaction may take, waiting for a connection included. */
export function limitOf(purpose: Purpose, timeoutMs: number): number {
  return purpose === 'migration' ? MIGRATION_MS : timeoutMs;
}

/**
 * How long moves in company wait for a lock. One of them stands before a queue that somebody holds,
 * and all the others with it: then they go on alone, and have the time for it.
 */
function lockLimitOf(timeoutMs: number): number {
  return Math.ceil(timeoutMs / 4);
}

type Values = Readonly<Record<string, string | number>>;

function sessionOf({ schema, timeoutMs }: Making): Values {
  return { search_path: schema, jit: 'off', ...limits(timeoutMs) };
}

function limits(limitMs: number): Values {
  return { statement_timeout: limitMs, idle_in_transaction_session_timeout: limitMs };
}

/** Begins, and says settings for this transaction alone. */
function opening(begin: string, values: Values): string[] {
  const local = Object.entries(values).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  );
  return local.length === 0 ? [begin] : [begin, `SELECT ${local.join(', ')}`];
}

/** Adds session options to an address, behind those that it has. */
function withOptions(url: string, ours: string): Settings['connection'] {
  // What an address says is heard before anything else, so it must not say it twice.
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const theirs = address?.searchParams.get('options');
  if (address === undefined || theirs === null || theirs === undefined) {
    return { connectionString: url, options: ours };
  }
  address.searchParams.delete('options');
  return { connectionString: address.href, options: `${theirs} ${ours}` };
}

const READ_COMMITTED = 'BEGIN ISOLATION LEVEL READ COMMITTED';

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const PLANS = ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'];

/** One plan serves all values: to look for a better one takes longer than to go by it. */
const INDEXES_ALONE: Values = {
  plan_cache_mode: 'force_generic_plan',
  ...Object.fromEntries(PLANS.map((plan) => [`enable_${plan}`, 'off'])),
};

const ANY_WAY: Values = {
  plan_cache_mode: 'auto',
  ...Object.fromEntries(PLANS.map((plan) => [`enable_${plan}`, 'on'])),
};

/** A minute: an index over millions of tasks is built in it, and another gateway waits for that. */
const MIGRATION_MS = 60_000;
