import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openSqlite } from '@agent-reach/server/sqlite';

/** An open store, as its driver's users see it. */
export type OpenStore = Awaited<ReturnType<typeof openSqlite>>;

/** A store that the laboratory can put under a gateway and look into afterwards. */
export interface LabStore {
  name: string;
  /** Options of a gateway that keeps its data there. */
  set: Readonly<Record<string, string>>;
  /** Opens what a gateway left in its data folder. Nobody else may have it open. */
  open(dataDir: string): Promise<OpenStore>;
  /** What the engine itself finds wrong with what was left. */
  damage(dataDir: string): string[];
}

const sqlite: LabStore = {
  name: 'sqlite',
  set: { 'storage.driver': 'sqlite' },
  open: (dir) => openSqlite({ dir, clock: systemClock, random: systemRandom(), log: silentLog }),
  damage(dataDir) {
    const path = join(dataDir, 'reach.db');
    if (!existsSync(path)) return [`there is no ${path}`];
    const db = new DatabaseSync(path);
    try {
      const rows = db.prepare('PRAGMA integrity_check').all();
      return rows.map(({ integrity_check: says }) => String(says)).filter((says) => says !== 'ok');
    } finally {
      db.close();
    }
  },
};

/** By name: what `--store` takes. */
export const STORES: Readonly<Record<string, LabStore>> = { sqlite };
