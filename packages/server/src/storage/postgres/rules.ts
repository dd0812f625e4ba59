import type { RuleRow, RulesStore } from '../spi/rules.ts';
import type { Operation } from './operation.ts';

export const getRule: Operation<RulesStore['get']> = async (tx, { tenant, name }) => {
  const [row] = await tx.rows<RuleRow>(PRESENT, [tenant, name]);
  return row;
};

export const putRule: Operation<RulesStore['put']> = async (tx, move) => {
  const { tenant, name, doc, by } = move;
  const [[before], at] = await Promise.all([
    tx.rows<RuleRow>(PRESENT, [tenant, name]),
    tx.clock(move.now),
  ]);
  if (before !== undefined && before.version !== move.expectVersion) {
    return { outcome: 'conflict', row: before };
  }
  const row: RuleRow = { tenant, name, version: (before?.version ?? 0) + 1, doc, by, at };
  // Who writes the same version at once fails here, looks again, and meets the conflict.
  tx.put(PUT, [tenant, name, row.version, doc, by, at]);
  tx.put(DROP_OLD, [tenant, name, row.version - VERSIONS_MAX]);
  return { outcome: 'stored', row };
};

export const listRules: Operation<RulesStore['list']> = (tx, { tenant }) =>
  tx.rows<RuleRow>(LIST, [tenant]);

export const ruleHistory: Operation<RulesStore['history']> = (tx, { tenant, name, limit }) =>
  tx.rows<RuleRow>(HISTORY, [tenant, name, limit]);

/** What `history` can show; a document edited by a machine would else grow without end. */
const VERSIONS_MAX = 100;

const COLUMNS = 'tenant, name, version, doc, by, at';

const PRESENT = `
  SELECT ${COLUMNS} FROM rules WHERE tenant = $1 AND name = $2 ORDER BY version DESC LIMIT 1`;

const PUT = `INSERT INTO rules (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`;

const DROP_OLD = 'DELETE FROM rules WHERE tenant = $1 AND name = $2 AND version <= $3';

const LIST = `
  SELECT DISTINCT ON (name) ${COLUMNS} FROM rules WHERE tenant = $1 ORDER BY name, version DESC`;

const HISTORY = `
  SELECT ${COLUMNS} FROM rules WHERE tenant = $1 AND name = $2 ORDER BY version DESC LIMIT $3`;
