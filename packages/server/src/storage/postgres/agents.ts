import {
  nextDefinition,
  type StoredManifest,
  VERSIONS_MAX,
  withManifest,
} from '../moves/definitions.ts';
import type { AgentsStore, DefinitionMark, DefinitionRow, VersionRow } from '../spi/agents.ts';
import { allInstances, instancesOf } from './instances.ts';
import type { Operation } from './operation.ts';

export const load: Operation<AgentsStore['load']> = async (tx) => {
  const [definitions, instances] = await Promise.all([
    tx.rows<StoredManifest<DefinitionRow>>(
      `SELECT ${DEFINITION} FROM definitions ORDER BY tenant, agent_id`,
    ),
    allInstances(tx),
  ]);
  return { definitions: definitions.map(withManifest), instances };
};

export const findAgent: Operation<AgentsStore['find']> = async (tx, { tenant, agentId }) => {
  const [[found], instances] = await Promise.all([
    tx.rows<StoredManifest<DefinitionRow>>(ONE, [tenant, agentId]),
    instancesOf(tx, { tenant, agentId }),
  ]);
  return found && { definition: withManifest(found), instances };
};

export const survey: Operation<AgentsStore['survey']> = async (tx) => {
  const [definitions, instances] = await Promise.all([
    tx.rows<DefinitionMark>(`SELECT ${MARK} FROM definitions ORDER BY tenant, agent_id`),
    allInstances(tx),
  ]);
  return { definitions, instances };
};

export const define: Operation<AgentsStore['define']> = async (tx, move) => {
  const { tenant, manifest, digest } = move;
  const agentId = manifest.agent_id;
  const [[found], now] = await Promise.all([
    tx.rows<StoredManifest<DefinitionRow>>(LOCKED, [tenant, agentId]),
    tx.clock(move.now),
  ]);
  const before = found && withManifest(found);
  if (before?.digest === digest) return { outcome: 'unchanged', row: before };
  if (before !== undefined && before.manifestVersion !== move.expectVersion) {
    return { outcome: 'conflict', row: before };
  }
  const row = nextDefinition(before, move, now);
  const version = row.manifestVersion;
  const told = [JSON.stringify(row.manifest), JSON.stringify(row.breaking)];
  const values = [tenant, agentId, version, digest, ...told, row.createdAt, now];
  // Two that define a new agent at once: the second fails here, looks again, and meets the first.
  tx.put(before === undefined ? ADD : REPLACE, values);
  tx.put(ADD_VERSION, [tenant, agentId, version, digest, ...told, now]);
  tx.put(DROP_OLD_VERSIONS, [tenant, agentId, version - VERSIONS_MAX]);
  return { outcome: 'stored', row };
};

export const remove: Operation<AgentsStore['remove']> = async (tx, { tenant, agentId }) =>
  // Instances and versions go with it: the schema says ON DELETE CASCADE.
  (await tx.write(REMOVE, [tenant, agentId])) === 1;

export const versions: Operation<AgentsStore['versions']> = async (tx, { tenant, agentId }) => {
  const rows = await tx.rows<StoredManifest<VersionRow>>(VERSIONS, [tenant, agentId]);
  return rows.map(withManifest);
};

const MARK = 'tenant, agent_id AS "agentId", manifest_version AS "manifestVersion", digest';

const DEFINITION = `${MARK}, manifest, breaking, created_at AS "createdAt", updated_at AS "updatedAt"`;

const ONE = `SELECT ${DEFINITION} FROM definitions WHERE tenant = $1 AND agent_id = $2`;

const LOCKED = `${ONE} FOR NO KEY UPDATE`;

const ADD = `
  INSERT INTO definitions
    (tenant, agent_id, manifest_version, digest, manifest, breaking, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const REPLACE = `
  UPDATE definitions
  SET manifest_version = $3, digest = $4, manifest = $5, breaking = $6, created_at = $7,
      updated_at = $8
  WHERE tenant = $1 AND agent_id = $2`;

const ADD_VERSION = 'INSERT INTO versions VALUES ($1, $2, $3, $4, $5, $6, $7)';

const DROP_OLD_VERSIONS = `
  DELETE FROM versions WHERE tenant = $1 AND agent_id = $2 AND manifest_version <= $3`;

const REMOVE = 'DELETE FROM definitions WHERE tenant = $1 AND agent_id = $2';

const VERSIONS = `
  SELECT manifest_version AS "manifestVersion", digest, manifest, breaking, at FROM versions
  WHERE tenant = $1 AND agent_id = $2 ORDER BY manifest_version DESC`;
