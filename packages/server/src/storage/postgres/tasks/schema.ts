/**
 * The tables of tasks. A task's row moves often and is small; payload, result, history and the like
 * hang on its number, `seq`.
 *
 * **Queue** (agent, or the type of unbound tasks) is what is claimed from and bounded; `task_turns`
 * keeps whose turn it is. **Lane** is the part of a queue whose tasks are alike for every claim:
 * version group, type, home and priority. Lanes carry the counts, so that how full a queue is, who
 * stands before a newcomer and where a claim looks are each a walk over a few rows, however many
 * tasks there are. Both are written all the time: their pages are left half empty, so that a new
 * version finds room beside the old one and no index is touched.
 *
 * An index that serves one state holds only the rows in that state. '' stands for an absent part of
 * a name in what must be unique. The same state is cleaned up after a fiftieth of the rows moved:
 * the default, a fifth, is made for tables that are read.
 */
export const TASKS_SCHEMA = `
  CREATE TABLE task_queues (
    queue bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant word NOT NULL,
    agent_id word NOT NULL,
    task_type word NOT NULL,
    taken bigint NOT NULL DEFAULT 0,
    UNIQUE (tenant, agent_id, task_type)
  ) WITH (fillfactor = 50);

  CREATE TABLE task_turns (
    queue bigint NOT NULL REFERENCES task_queues ON DELETE CASCADE,
    priority bigint NOT NULL,
    principal word NOT NULL,
    PRIMARY KEY (queue, priority)
  ) WITH (fillfactor = 50);

  CREATE TABLE task_lanes (
    lane bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue bigint NOT NULL REFERENCES task_queues,
    priority bigint NOT NULL,
    grp word NOT NULL,
    task_type word NOT NULL,
    home word NOT NULL,
    blocked bigint NOT NULL DEFAULT 0 CHECK (blocked >= 0),
    queued bigint NOT NULL DEFAULT 0 CHECK (queued >= 0),
    waiting bigint NOT NULL DEFAULT 0 CHECK (waiting >= 0),
    delivered bigint NOT NULL DEFAULT 0 CHECK (delivered >= 0),
    running bigint NOT NULL DEFAULT 0 CHECK (running >= 0),
    dead bigint NOT NULL DEFAULT 0 CHECK (dead >= 0),
    UNIQUE (queue, priority, grp, task_type, home)
  ) WITH (fillfactor = 50);

  CREATE SEQUENCE task_seq;

  CREATE TABLE tasks (
    seq bigint PRIMARY KEY,
    tenant word NOT NULL,
    task_id word NOT NULL,
    task_type word NOT NULL,
    kind text NOT NULL,
    fingerprint text NOT NULL,
    principal word NOT NULL,
    trace_id word NOT NULL,
    parent_id word,
    queue bigint NOT NULL,
    lane bigint NOT NULL,
    agent_id word,
    grp word,
    home word,
    effect text,
    priority bigint NOT NULL CHECK (priority BETWEEN 0 AND 10),
    chain word,
    chain_seq bigint,
    on_dead text,
    state text NOT NULL,
    cause text,
    reason text,
    version bigint NOT NULL,
    epoch bigint NOT NULL,
    deliveries bigint NOT NULL CHECK (deliveries >= 0),
    attempts bigint NOT NULL CHECK (attempts BETWEEN 0 AND attempts_max),
    attempts_max bigint NOT NULL,
    holder text,
    lease_ends_at bigint CHECK ((lease_ends_at IS NULL) = (state NOT IN ('delivered', 'running'))),
    due_at bigint CHECK (due_at IS NOT NULL OR state <> 'waiting'),
    ready_at bigint CHECK (ready_at IS NOT NULL OR state <> 'queued'),
    deadline_at bigint,
    progress text,
    selector text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    ended_at bigint
      CHECK ((ended_at IS NULL) = (state NOT IN ('succeeded', 'failed', 'cancelled'))),
    key_scope text,
    key text,
    key_until bigint,
    UNIQUE (tenant, task_id)
  ) WITH (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
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
        OR (state = 'dead' AND on_dead IS DISTINCT FROM 'skip'));
  CREATE INDEX tasks_blocked ON tasks (tenant, chain, coalesce(chain_seq, 0), seq)
    WHERE state = 'blocked';
  -- What stands at a place of a chain, and all of a chain.
  CREATE INDEX tasks_places ON tasks (tenant, chain, coalesce(chain_seq, 0), seq)
    WHERE chain IS NOT NULL;
  CREATE INDEX tasks_ended ON tasks (ended_at, seq) WHERE ended_at IS NOT NULL;
  CREATE INDEX tasks_died ON tasks (updated_at, seq) WHERE state = 'dead';
  CREATE INDEX tasks_dead ON tasks (tenant, seq) WHERE state = 'dead';
  CREATE INDEX tasks_living ON tasks (tenant, agent_id, seq) WHERE ended_at IS NULL;
  CREATE INDEX tasks_by_parent ON tasks (tenant, parent_id, seq) WHERE parent_id IS NOT NULL;
  CREATE INDEX tasks_by_trace ON tasks (trace_id, seq);

  CREATE TABLE task_payloads (seq bigint PRIMARY KEY, body text NOT NULL);
  CREATE TABLE task_results (seq bigint PRIMARY KEY, body text NOT NULL);

  CREATE TABLE task_history (
    seq bigint NOT NULL,
    version bigint NOT NULL,
    at bigint NOT NULL,
    from_state text,
    to_state text NOT NULL,
    cause text NOT NULL,
    epoch bigint NOT NULL,
    agent_id text,
    holder text,
    by text,
    reason text,
    PRIMARY KEY (seq, version)
  );

  CREATE TABLE task_orphans (
    seq bigint NOT NULL,
    epoch bigint NOT NULL,
    holder text,
    result text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (seq, epoch)
  );

  CREATE TABLE task_edits (
    seq bigint NOT NULL,
    version bigint NOT NULL,
    at bigint NOT NULL,
    by text NOT NULL,
    reason text,
    payload text NOT NULL,
    PRIMARY KEY (seq, version)
  );
`;
