import type { RuleRow, RulesStore } from '../spi/rules.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';

export const getRule: Operation<RulesStore['get']> = (db, query) => present(db, query);

export const putRule: Operation<RulesStore['put']> = (db, move) => {
  const before = present(db, move);
  const version = before?.version ?? 0;
  if (before !== undefined && version !== move.expectVersion) {
    return { outcome: 'conflict', row: before };
  }
  const { tenant, name, doc, by } = move;
  const row: RuleRow = { tenant, name, version: version + 1, doc, by, at: move.now };
  db.run('INSERT INTO rules VALUES (:tenant, :name, :version, :doc, :by, :at)', row);
  db.run(DROP_OLD, { ...row, kept: VERSIONS_MAX });
  return { outcome: 'stored', row };
};

export const listRules: Operation<RulesStore['list']> = (db, query) =>
  db
    .all<RuleRow>(
      `SELECT ${COLUMNS} FROM rules AS rule
       WHERE tenant = :tenant AND version = (
         SELECT max(version) FROM rules WHERE tenant = rule.tenant AND name = rule.name)
       ORDER BY name`,
      query,
    )
    .map(plain);

export const ruleHistory: Operation<RulesStore['history']> = (db, query) =>
  db
    .all<RuleRow>(
      `SELECT ${COLUMNS} FROM rules WHERE tenant = :tenant AND name = :name
       ORDER BY version DESC LIMIT :limit`,
      query,
    )
    .map(plain);

/** What `history` can show; a document edited by a machine would else grow without end. */
const VERSIONS_MAX = 100;

const COLUMNS = 'tenant, name, version, doc, by, at';

const DROP_OLD = `
  DELETE FROM rules WHERE tenant = :tenant AND name = :name AND version <= :version - :kept`;

function present(db: Database, query: { tenant: string; name: string }): RuleRow | undefined {
  const row = db.get<RuleRow>(
    `SELECT ${COLUMNS} FROM rules WHERE tenant = :tenant AND name = :name
     ORDER BY version DESC LIMIT 1`,
    query,
  );
  return row === undefined ? undefined : plain(row);
}

/** The engine's rows have no prototype, which strict comparison calls a difference. */
function plain(row: RuleRow): RuleRow {
  return { ...row };
}
