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
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';
import type { Value } from './values.ts';

/**
 * Joins of one agent wait for each other on its definition: two processes that come at once for one
 * name must not both find the seat free.
 */
export const join: Operation<AgentsStore['join']> = async (tx, move) => {
  const { tenant, agentId, instance } = move;
  const [[known], [found], now] = await Promise.all([
    tx.rows<OperatorsWish>(OPERATORS_WISH, [tenant, agentId]),
    tx.rows<StoredInstance>(LOCKED, [tenant, agentId, instance.instanceId]),
    tx.clock(move.now),
  ]);
  if (known === undefined) return { outcome: 'unknown' };

  const before = found && toInstance(found);
  const moved = before !== undefined && before.baseUrl !== instance.baseUrl;
  if (moved && before.leaseEndsAt > now) return { outcome: 'held', row: before };

  const sameProcess = before !== undefined && !moved && before.bootId === instance.bootId;
  const addrVersion = sameProcess ? before.addrVersion : await nextAddrVersion(tx);
  const row = seated({ ...move, now }, before, { addrVersion, sameProcess, wish: known });
  const stored = storedInstance(row);
  tx.put(
    PUT,
    PARTS.map((part) => stored[part]),
  );
  return { outcome: 'joined', row };
};

export const renew: Operation<AgentsStore['renew']> = async (tx, move) => {
  const name = [move.tenant, move.agentId, move.instanceId];
  const [[found], now] = await Promise.all([
    tx.rows<StoredInstance>(LOCKED, name),
    tx.clock(move.now),
  ]);
  if (found === undefined) return { outcome: 'unknown' };
  const before = toInstance(found);
  if (isStaleBeat(before, move)) return { outcome: 'stale', row: before };
  const row = renewed(before, { ...move, now });
  const { seq, leaseMs, leaseEndsAt, lastHeartbeatAt } = row;
  const reported = JSON.stringify(row.reported);
  tx.put(RENEW, [...name, seq, reported, leaseMs, leaseEndsAt, lastHeartbeatAt]);
  return { outcome: 'renewed', row };
};

export const setIntent: Operation<AgentsStore['setIntent']> = async (tx, move) => {
  const { tenant, agentId, instanceId, intent, by } = move;
  const reason = move.reason ?? null;
  // What an operator wants of an agent holds for instances that join later, too.
  if (instanceId === undefined && by === 'operator') {
    const wish: Value[] = intent === 'enabled' ? [null, null] : [intent, reason];
    tx.put(WISH, [tenant, agentId, ...wish]);
  }
  tx.put(SET_INTENT, [tenant, agentId, instanceId ?? null, intent, by, reason]);
  const rows = await tx.rows<StoredInstance>(OF_AGENT, [tenant, agentId, instanceId ?? null]);
  return rows.map(toInstance);
};

export const leave: Operation<AgentsStore['leave']> = async (tx, move) =>
  (await tx.write(LEAVE, [move.tenant, move.agentId, move.instanceId])) === 1;

export const sweep: Operation<AgentsStore['sweep']> = async (tx, move) => {
  const now = await tx.clock(move.now);
  const gone = await tx.writeRows<Gone & { leaseEndsAt: number }>(SWEEP, [
    now - move.goneForMs,
    move.limit,
  ]);
  return gone
    .toSorted((a, b) => a.leaseEndsAt - b.leaseEndsAt)
    .map(({ leaseEndsAt: _, ...name }) => name);
};

/** Every instance of every tenant, by tenant, agent and instance. */
export async function allInstances(tx: Transaction): Promise<InstanceRow[]> {
  const rows = await tx.rows<StoredInstance>(`${SELECT} ORDER BY tenant, agent_id, instance_id`);
  return rows.map(toInstance);
}

/** The instances of one agent, by instance. */
export async function instancesOf(
  tx: Transaction,
  { tenant, agentId }: Omit<Gone, 'instanceId'>,
): Promise<InstanceRow[]> {
  const rows = await tx.rows<StoredInstance>(OF_AGENT, [tenant, agentId, null]);
  return rows.map(toInstance);
}

type Gone = Pick<InstanceRow, 'tenant' | 'agentId' | 'instanceId'>;

const COLUMNS: Readonly<Record<keyof StoredInstance, string>> = {
  tenant: 'tenant',
  agentId: 'agent_id',
  instanceId: 'instance_id',
  bootId: 'boot_id',
  mode: 'mode',
  baseUrl: 'base_url',
  tags: 'tags',
  addrVersion: 'addr_version',
  intent: 'intent',
  intentBy: 'intent_by',
  intentReason: 'intent_reason',
  heartbeatIntervalMs: 'heartbeat_interval_ms',
  leaseMs: 'lease_ms',
  leaseEndsAt: 'lease_ends_at',
  lastHeartbeatAt: 'last_heartbeat_at',
  seq: 'seq',
  reported: 'reported',
};
const PARTS = Object.keys(COLUMNS) as (keyof StoredInstance)[];
const OTHERS = Object.values(COLUMNS).slice(3);

const SELECT = `SELECT ${PARTS.map((part) => `${COLUMNS[part]} AS "${part}"`).join(', ')}
  FROM instances`;

const NAMED = 'tenant = $1 AND agent_id = $2 AND instance_id = $3';

const OPERATORS_WISH = `
  SELECT operator_intent AS intent, operator_reason AS reason FROM definitions
  WHERE tenant = $1 AND agent_id = $2 FOR NO KEY UPDATE`;

const LOCKED = `${SELECT} WHERE ${NAMED} FOR NO KEY UPDATE`;

const PUT = `
  INSERT INTO instances (${Object.values(COLUMNS).join(', ')})
  VALUES (${PARTS.map((_, n) => `$${n + 1}`).join(', ')})
  ON CONFLICT (tenant, agent_id, instance_id) DO UPDATE
  SET ${OTHERS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const RENEW = `
  UPDATE instances
  SET seq = $4, reported = $5, lease_ms = $6, lease_ends_at = $7, last_heartbeat_at = $8
  WHERE ${NAMED}`;

const WISH = `
  UPDATE definitions SET operator_intent = $3, operator_reason = $4
  WHERE tenant = $1 AND agent_id = $2`;

const AMONG = 'tenant = $1 AND agent_id = $2 AND ($3::text IS NULL OR instance_id = $3)';

// What an operator took away, an operator gives back; `enabled` takes nothing away.
const SET_INTENT = `
  UPDATE instances SET intent = $4, intent_by = $5, intent_reason = $6
  WHERE ${AMONG} AND ($5 = 'operator' OR intent_by <> 'operator' OR intent = 'enabled')`;

const OF_AGENT = `${SELECT} WHERE ${AMONG} ORDER BY instance_id`;

const LEAVE = `DELETE FROM instances WHERE ${NAMED}`;

const SWEEP = `
  DELETE FROM instances USING (
    SELECT tenant, agent_id, instance_id FROM instances WHERE lease_ends_at <= $1
    ORDER BY lease_ends_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS gone
  WHERE instances.tenant = gone.tenant AND instances.agent_id = gone.agent_id
    AND instances.instance_id = gone.instance_id
  RETURNING instances.tenant, instances.agent_id AS "agentId",
            instances.instance_id AS "instanceId", lease_ends_at AS "leaseEndsAt"`;

/** One count for the whole store: an instance that left and came back never gets an old number. */
async function nextAddrVersion(tx: Transaction): Promise<number> {
  const [[next]] = (await tx.lists("SELECT nextval('addr_versions')")) as [[number]];
  return next;
}
