import {
  isStaleBeat,
  type OperatorsWish,
  renewed,
  seated,
  type StoredInstance,
  storedInstance,
  toInstance,
} from '../moves/instances.ts';
import type { AgentsStore, InstanceRow } from '../spi/agents.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';

export const join: Operation<AgentsStore['join']> = (db, move) => {
  const { tenant, agentId, now } = move;
  const known = db.get<OperatorsWish>(OPERATORS_WISH, { tenant, agentId });
  if (known === undefined) return { outcome: 'unknown' };

  const before = find(db, { tenant, agentId, instanceId: move.instance.instanceId });
  const moved = before !== undefined && before.baseUrl !== move.instance.baseUrl;
  if (moved && before.leaseEndsAt > now) return { outcome: 'held', row: before };

  const sameProcess = before !== undefined && !moved && before.bootId === move.instance.bootId;
  const addrVersion = sameProcess ? before.addrVersion : nextAddrVersion(db);
  const row = seated(move, before, { addrVersion, sameProcess, wish: known });
  db.run(PUT, storedInstance(row));
  return { outcome: 'joined', row };
};

export const renew: Operation<AgentsStore['renew']> = (db, move) => {
  const before = find(db, move);
  if (before === undefined) return { outcome: 'unknown' };
  if (isStaleBeat(before, move)) return { outcome: 'stale', row: before };
  const row = renewed(before, move);
  db.run(RENEW, storedInstance(row));
  return { outcome: 'renewed', row };
};

export const setIntent: Operation<AgentsStore['setIntent']> = (db, move) => {
  const which = move.instanceId === undefined ? OF_AGENT : NAMED;
  // What an operator wants of an agent holds for instances that join later, too.
  if (move.instanceId === undefined && move.by === 'operator') {
    const wish = move.intent === 'enabled' ? null : move.intent;
    db.run(WISH, { ...move, wish, reason: wish === null ? null : (move.reason ?? null) });
  }
  db.run(`${SET_INTENT} WHERE ${which} AND ${MAY_SET}`, { ...move, reason: move.reason ?? null });
  return db
    .all<StoredInstance>(`${SELECT} WHERE ${which} ORDER BY instance_id`, move)
    .map(toInstance);
};

export const leave: Operation<AgentsStore['leave']> = (db, move) =>
  db.run(`DELETE FROM instances WHERE ${NAMED}`, move) === 1;

export const sweep: Operation<AgentsStore['sweep']> = (db, move) => {
  const gone = db.all<Gone>(GONE, move).map((row) => ({ ...row }));
  for (const name of gone) db.run(`DELETE FROM instances WHERE ${NAMED}`, name);
  return gone;
};

/** Every instance of every tenant, by tenant, agent and instance. */
export function allInstances(db: Database): InstanceRow[] {
  const sql = `${SELECT} ORDER BY tenant, agent_id, instance_id`;
  return db.all<StoredInstance>(sql).map(toInstance);
}

/** The instances of one agent, by instance. */
export function instancesOf(db: Database, name: Omit<Gone, 'instanceId'>): InstanceRow[] {
  return db
    .all<StoredInstance>(`${SELECT} WHERE ${OF_AGENT} ORDER BY instance_id`, name)
    .map(toInstance);
}

const OPERATORS_WISH = `
  SELECT operator_intent AS intent, operator_reason AS reason FROM definitions
  WHERE tenant = :tenant AND agent_id = :agentId`;

const WISH = `
  UPDATE definitions SET operator_intent = :wish, operator_reason = :reason
  WHERE tenant = :tenant AND agent_id = :agentId`;

const SELECT = `
  SELECT tenant, agent_id AS agentId, instance_id AS instanceId, boot_id AS bootId, mode,
         base_url AS baseUrl, tags, addr_version AS addrVersion, intent, intent_by AS intentBy,
         intent_reason AS intentReason, heartbeat_interval_ms AS heartbeatIntervalMs,
         lease_ms AS leaseMs, lease_ends_at AS leaseEndsAt,
         last_heartbeat_at AS lastHeartbeatAt, seq, reported
  FROM instances`;

const OF_AGENT = 'tenant = :tenant AND agent_id = :agentId';
const NAMED = `${OF_AGENT} AND instance_id = :instanceId`;

const PUT = `
  INSERT OR REPLACE INTO instances VALUES
    (:tenant, :agentId, :instanceId, :bootId, :mode, :baseUrl, :tags, :addrVersion, :intent,
     :intentBy, :intentReason, :heartbeatIntervalMs, :leaseMs, :leaseEndsAt, :lastHeartbeatAt,
     :seq, :reported)`;

const RENEW = `
  UPDATE instances
  SET seq = :seq, reported = :reported, lease_ms = :leaseMs, lease_ends_at = :leaseEndsAt,
      last_heartbeat_at = :lastHeartbeatAt
  WHERE ${NAMED}`;

const SET_INTENT =
  'UPDATE instances SET intent = :intent, intent_by = :by, intent_reason = :reason';

// What an operator took away, an operator gives back; `enabled` takes nothing away.
const MAY_SET = "(:by = 'operator' OR intent_by <> 'operator' OR intent = 'enabled')";

const GONE = `
  SELECT tenant, agent_id AS agentId, instance_id AS instanceId FROM instances
  WHERE lease_ends_at <= :now - :goneForMs ORDER BY lease_ends_at LIMIT :limit`;

type Gone = Pick<InstanceRow, 'tenant' | 'agentId' | 'instanceId'>;

function find(db: Database, name: Gone): InstanceRow | undefined {
  const row = db.get<StoredInstance>(`${SELECT} WHERE ${NAMED}`, name);
  return row === undefined ? undefined : toInstance(row);
}

/** One count for the whole store: an instance that left and came back never gets an old number. */
function nextAddrVersion(db: Database): number {
  const row = db.get<{ value: number }>(
    "UPDATE counters SET value = value + 1 WHERE name = 'addr_version' RETURNING value",
  );
  return row?.value ?? 1;
}
