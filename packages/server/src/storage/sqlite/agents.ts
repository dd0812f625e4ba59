import {
  nextDefinition,
  type StoredManifest,
  VERSIONS_MAX,
  withManifest,
} from '../moves/definitions.ts';
import type { AgentsStore, DefinitionMark, DefinitionRow, VersionRow } from '../spi/agents.ts';
import type { Database } from './database.ts';
import { allInstances, instancesOf } from './instances.ts';
import type { Operation } from './operation.ts';

export const load: Operation<AgentsStore['load']> = (db) => ({
  definitions: db
    .all<StoredManifest<DefinitionRow>>(
      `SELECT ${DEFINITION} FROM definitions ORDER BY tenant, agent_id`,
    )
    .map(withManifest),
  instances: allInstances(db),
});

export const findAgent: Operation<AgentsStore['find']> = (db, name) => {
  const found = definition(db, name);
  return found && { definition: found, instances: instancesOf(db, name) };
};

export const survey: Operation<AgentsStore['survey']> = (db) => ({
  definitions: db
    .all<DefinitionMark>(`SELECT ${MARK} FROM definitions ORDER BY tenant, agent_id`)
    .map((row) => ({ ...row })),
  instances: allInstances(db),
});

export const define: Operation<AgentsStore['define']> = (db, move) => {
  const { tenant, manifest, digest, now } = move;
  const before = definition(db, { tenant, agentId: manifest.agent_id });
  if (before?.digest === digest) return { outcome: 'unchanged', row: before };
  if (before !== undefined && before.manifestVersion !== move.expectVersion) {
    return { outcome: 'conflict', row: before };
  }
  const row = nextDefinition(before, move, now);
  const stored = {
    ...row,
    manifest: JSON.stringify(row.manifest),
    breaking: JSON.stringify(row.breaking),
    kept: VERSIONS_MAX,
  };
  db.run(PUT_DEFINITION, stored);
  db.run(PUT_VERSION, stored);
  db.run(DROP_OLD_VERSIONS, stored);
  return { outcome: 'stored', row };
};

export const remove: Operation<AgentsStore['remove']> = (db, move) =>
  // Instances and versions go with it: the schema says ON DELETE CASCADE.
  db.run('DELETE FROM definitions WHERE tenant = :tenant AND agent_id = :agentId', move) === 1;

export const versions: Operation<AgentsStore['versions']> = (db, query) =>
  db
    .all<StoredManifest<VersionRow>>(
      `SELECT manifest_version AS manifestVersion, digest, manifest, breaking, at FROM versions
       WHERE tenant = :tenant AND agent_id = :agentId ORDER BY manifest_version DESC`,
      query,
    )
    .map(withManifest);

const MARK = 'tenant, agent_id AS agentId, manifest_version AS manifestVersion, digest';

const DEFINITION = `${MARK}, manifest, breaking, created_at AS createdAt, updated_at AS updatedAt`;

// Not INSERT OR REPLACE: that deletes the row first, and the agent's instances with it.
const PUT_DEFINITION = `
  INSERT INTO definitions VALUES
    (:tenant, :agentId, :manifestVersion, :digest, :manifest, :breaking, :createdAt, :updatedAt,
     NULL, NULL)
  ON CONFLICT DO UPDATE SET
    manifest_version = excluded.manifest_version, digest = excluded.digest,
    manifest = excluded.manifest, breaking = excluded.breaking, updated_at = excluded.updated_at`;

const PUT_VERSION = `
  INSERT INTO versions VALUES
    (:tenant, :agentId, :manifestVersion, :digest, :manifest, :breaking, :updatedAt)`;

const DROP_OLD_VERSIONS = `
  DELETE FROM versions
  WHERE tenant = :tenant AND agent_id = :agentId AND manifest_version <= :manifestVersion - :kept`;

function definition(
  db: Database,
  name: { tenant: string; agentId: string },
): DefinitionRow | undefined {
  const row = db.get<StoredManifest<DefinitionRow>>(
    `SELECT ${DEFINITION} FROM definitions WHERE tenant = :tenant AND agent_id = :agentId`,
    name,
  );
  return row === undefined ? undefined : withManifest(row);
}
