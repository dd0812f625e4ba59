/**
 * The tables of agents, ledger, rules and traces. What is never searched is JSON text, not jsonb:
 * it comes back byte by byte, and jsonb refuses a character that JSON allows.
 *
 * `word` is what names and ids are made of. Whatever language the database speaks, they are compared
 * by their bytes: callers take turns by name in that order on every store.
 */
export const FIRST_SCHEMA = `
  CREATE DOMAIN word AS text COLLATE "C";

  CREATE TABLE meta (name word PRIMARY KEY, value text NOT NULL);
  CREATE SEQUENCE addr_versions;

  CREATE TABLE definitions (
    tenant word NOT NULL,
    agent_id word NOT NULL,
    manifest_version bigint NOT NULL,
    digest text NOT NULL,
    manifest text NOT NULL,
    breaking text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    operator_intent text,
    operator_reason text,
    PRIMARY KEY (tenant, agent_id)
  );

  CREATE TABLE versions (
    tenant word NOT NULL,
    agent_id word NOT NULL,
    manifest_version bigint NOT NULL,
    digest text NOT NULL,
    manifest text NOT NULL,
    breaking text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (tenant, agent_id, manifest_version),
    FOREIGN KEY (tenant, agent_id) REFERENCES definitions ON DELETE CASCADE
  );

  CREATE TABLE instances (
    tenant word NOT NULL,
    agent_id word NOT NULL,
    instance_id word NOT NULL,
    boot_id text,
    mode text NOT NULL,
    base_url text,
    tags text NOT NULL,
    addr_version bigint NOT NULL,
    intent text NOT NULL,
    intent_by text NOT NULL,
    intent_reason text,
    heartbeat_interval_ms bigint NOT NULL,
    lease_ms bigint NOT NULL,
    lease_ends_at bigint NOT NULL,
    last_heartbeat_at bigint NOT NULL,
    seq bigint NOT NULL,
    reported text NOT NULL,
    PRIMARY KEY (tenant, agent_id, instance_id),
    FOREIGN KEY (tenant, agent_id) REFERENCES definitions ON DELETE CASCADE
  );
  CREATE INDEX instances_by_lease ON instances (lease_ends_at);

  CREATE TABLE keys (
    scope word NOT NULL,
    key word NOT NULL,
    fingerprint text NOT NULL,
    pinned text NOT NULL,
    token text NOT NULL,
    state text NOT NULL CHECK (state IN ('claimed', 'done', 'unknown')),
    claim_ends_at bigint,
    answer text,
    expires_at bigint NOT NULL,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX keys_by_expiry ON keys (expires_at);

  -- Counts that a crash may forget: their commits wait for no disk.
  CREATE UNLOGGED TABLE spent (
    name word PRIMARY KEY,
    granted boolean NOT NULL,
    total bigint NOT NULL,
    ends_at bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX spent_by_end ON spent (ends_at);

  CREATE TABLE rules (
    tenant word NOT NULL,
    name word NOT NULL,
    version bigint NOT NULL,
    doc text NOT NULL,
    by text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (tenant, name, version)
  );

  CREATE TABLE traces (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant word NOT NULL,
    at bigint NOT NULL,
    trace_id word NOT NULL,
    legacy_trace_id word,
    request_id word NOT NULL,
    agent_from word NOT NULL,
    agent_to word,
    capability word,
    body text NOT NULL
  );
  CREATE INDEX traces_by_time ON traces (tenant, at, seq);
  CREATE INDEX traces_by_trace ON traces (trace_id);
  CREATE INDEX traces_by_request ON traces (request_id);
  CREATE INDEX traces_by_legacy ON traces (legacy_trace_id) WHERE legacy_trace_id IS NOT NULL;

  -- A sequence never gives a number twice, not even after a crash.
  CREATE TABLE audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant word NOT NULL,
    at bigint NOT NULL,
    trace_id word,
    request_id word,
    principal word NOT NULL,
    target word,
    body text NOT NULL
  );
  CREATE INDEX audit_by_time ON audit (tenant, at, seq);
  CREATE INDEX audit_by_trace ON audit (trace_id) WHERE trace_id IS NOT NULL;
  CREATE INDEX audit_by_request ON audit (request_id) WHERE request_id IS NOT NULL;
`;
