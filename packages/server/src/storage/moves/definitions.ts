import type { AgentsStore, DefinitionRow } from '../spi/agents.ts';

/** A row as an engine keeps it: the manifest and its breaks are JSON text. */
export type StoredManifest<Row> = Omit<Row, 'manifest' | 'breaking'> & {
  manifest: string;
  breaking: string;
};

/** A row that was kept. */
export function withManifest<Row extends StoredManifest<object>>(row: Row) {
  return {
    ...row,
    manifest: JSON.parse(row.manifest) as DefinitionRow['manifest'],
    breaking: JSON.parse(row.breaking) as string[],
  };
}

/** The definition that follows `before`, or the first. */
export function nextDefinition(
  before: DefinitionRow | undefined,
  { tenant, manifest, digest, breaking }: Parameters<AgentsStore['define']>[0],
  now: number,
): DefinitionRow {
  return {
    tenant,
    agentId: manifest.agent_id,
    manifestVersion: (before?.manifestVersion ?? 0) + 1,
    digest,
    manifest,
    // Without a version before there is nobody whom this one could break.
    breaking: before === undefined ? [] : breaking,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

/** The bound of `versions`; an agent redeployed every minute would else fill the disk. */
export const VERSIONS_MAX = 20;
