/**
 * The tables of tasks. A task's row moves often and is small; payload, result, history and the like
 * hang on its number, `seq`.
 *
 * **Queue** (agent, or the type of unbound tasks) is what is claimed from and bounded; it keeps whose
 * turn it is. **Lane** is the part of a queue whose tasks are alike for every claim: version group,
 * type, home and priority. Lanes carry the counts, so that how full a queue is, who stands before a
 * newcomer and where a claim looks are each a walk over a few rows, however many tasks there are.
 *
 * An index that serves one state holds only the rows in that state. '' stands for an absent part of
 * a name in what must be unique.
 */
export const TASKS_SCHEMA = `
  CREATE TABLE task_queues (
    queue INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    task_type TEXT NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0,
    turns TEXT NOT NULL DEFAULT '{}',
    UNIQUE (tenant, agent_id, task_type)
  ) STRICT;

  CREATE TABLE task_lanes (
    lane INTEGER PRIMARY KEY AUTOINCREMENT,
    queue INTEGER NOT NULL REFERENCES task_queues,
    priority INTEGER NOT NULL,
    grp TEXT NOT NULL,
    task_type TEXT NOT NULL,
    home TEXT NOT NULL,
    blocked INTEGER NOT NULL DEFAULT 0 CHECK (blocked >= 0),
    queued INTEGER NOT NULL DEFAULT 0 CHECK (queued >= 0),
    waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting >= 0),
    delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered >= 0),
    running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
    dead INTEGER NOT NULL DEFAULT 0 CHECK (dead >= 0),
    UNIQUE (queue, priority, grp, task_type, home)
  ) STRICT;

  CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    task_id TEXT NOT NULL,
    task_type TEXT NOT NULL,
    kind TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    principal TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    parent_id TEXT,
    queue INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    agent_id TEXT,
    grp TEXT,
    home TEXT,
    effect TEXT,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 10),
    chain TEXT,
    chain_seq INTEGER,
    on_dead TEXT,
    state TEXT NOT NULL,
    cause TEXT,
    reason TEXT,
    version INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    deliveries INTEGER NOT NULL CHECK (deliveries >= 0),
    attempts INTEGER NOT NULL CHECK (attempts BETWEEN 0 AND attempts_max),
    attempts_max INTEGER NOT NULL,
    holder TEXT,
    lease_ends_at INTEGER CHECK ((lease_ends_at IS NULL) = (state NOT IN ('delivered', 'running'))),
    due_at INTEGER CHECK (due_at IS NOT NULL OR state <> 'waiting'),
    ready_at INTEGER CHECK (ready_at IS NOT NULL OR state <> 'queued'),
    deadline_at INTEGER,
    progress TEXT,
    selector TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ended_at INTEGER
      CHECK ((ended_at IS NULL) = (state NOT IN ('succeeded', 'failed', 'cancelled'))),
    key_scope TEXT,
    key TEXT,
    key_until INTEGER,
    UNIQUE (tenant, task_id)
  ) STRICT;
  -- Whose turn it is within a lane, and who has been ready longest.
  CREATE INDEX tasks_ready ON tasks (lane, principal, seq) WHERE state = 'queued';
  CREATE INDEX tasks_age ON tasks (lane, ready_at, seq) WHERE state = 'queued';
  CREATE INDEX tasks_leased ON tasks (lease_ends_at, seq) WHERE state IN ('delivered', 'running');
  CREATE INDEX tasks_due ON tasks (due_at, seq) WHERE state = 'waiting';
  CREATE INDEX tasks_deadline ON tasks (deadline_at, seq)
    WHERE deadline_at IS NOT NULL
      AND state IN ('blocked', 'queued', 'waiting', 'delivered', 'running');
  -- Unique: of a chain's tasks one has its turn.
  CREATE UNIQUE INDEX tasks_turn ON tasks (tenant, chain)
    WHERE chain IS NOT NULL
      AND (state IN ('queued', 'waiting', 'delivered', 'running')
        OR (state = 'dead' AND on_dead IS NOT 'skip'));
  CREATE INDEX tasks_blocked ON tasks (tenant, chain, coalesce(chain_seq, 0), seq)
    WHERE state = 'blocked';
  CREATE INDEX tasks_ended ON tasks (ended_at, seq) WHERE ended_at IS NOT NULL;
  CREATE INDEX tasks_died ON tasks (updated_at, seq) WHERE state = 'dead';
  CREATE INDEX tasks_dead ON tasks (tenant, seq) WHERE state = 'dead';
  -- An index of all that a queue ever held would dirty a page for each queue that gets a task.
  CREATE INDEX tasks_living ON tasks (queue, seq) WHERE ended_at IS NULL;
  CREATE INDEX tasks_by_parent ON tasks (tenant, parent_id) WHERE parent_id IS NOT NULL;
  -- In blocks of 2048 rows, as the traces are and for the same reason.
  CREATE INDEX tasks_by_trace ON tasks (seq >> 11, trace_id);

  CREATE TABLE task_payloads (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE task_results (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;

  CREATE TABLE task_history (
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    agent_id TEXT,
    holder TEXT,
    by TEXT,
    reason TEXT,
    PRIMARY KEY (seq, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE task_orphans (
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    holder TEXT,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (seq, epoch)
  ) STRICT;

  CREATE TABLE task_edits (
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    reason TEXT,
    payload TEXT NOT NULL,
    PRIMARY KEY (seq, version)
  ) STRICT;
`;

/**
 * What stands at a place of a chain, and all of a chain: whether the one before a task has come is
 * asked at every submission that counts its own. Tasks without a chain are not in it.
 */
export const TASK_PLACES = `
  CREATE INDEX tasks_places ON tasks (tenant, chain, coalesce(chain_seq, 0), seq)
    WHERE chain IS NOT NULL;
`;
