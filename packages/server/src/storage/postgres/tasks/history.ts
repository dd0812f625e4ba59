import { LINES_MAX, type Line } from '../../moves/shelf.ts';
import type { Stored } from '../../moves/stored.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';

/** A line of history as its row holds it. */
export interface HistoryLine {
  seq: number;
  version: number;
  at: number;
  from_state: string | null;
  to_state: string;
  cause: string;
  epoch: number;
  agent_id: string | null;
  holder: string | null;
  by: string | null;
  reason: string | null;
}

/** The line of `task.version`: a copy, for the task may move on before it is written. */
export function lineOf(task: Stored, line: Line): HistoryLine {
  return {
    seq: task.seq,
    version: task.version,
    at: task.updatedAt,
    from_state: line.from,
    to_state: task.state,
    cause: line.cause,
    epoch: task.epoch,
    agent_id: line.agentId ?? null,
    holder: task.holder,
    by: line.by ?? null,
    reason: line.reason ?? null,
  };
}

/** Adds lines. A task that bounces for ever keeps a bounded tale of it, and its first line. */
export function writeHistory(tx: Transaction, lines: readonly HistoryLine[]): void {
  if (lines.length === 0) return;
  tx.put(ADD, columnsOf(COLUMNS, lines));
  const old = lines
    .map(({ seq, version }) => ({ seq, version: version - LINES_MAX }))
    .filter(({ version }) => version > 1);
  if (old.length === 0) return;
  tx.put(DROP, [old.map(({ seq }) => seq), old.map(({ version }) => version)]);
}

const COLUMNS: Columns<HistoryLine> = {
  seq: 'bigint',
  version: 'bigint',
  at: 'bigint',
  from_state: 'text',
  to_state: 'text',
  cause: 'text',
  epoch: 'bigint',
  agent_id: 'text',
  holder: 'text',
  by: 'text',
  reason: 'text',
};
const NAMES = Object.keys(COLUMNS).join(', ');

const ADD = `INSERT INTO task_history (${NAMES}) SELECT ${NAMES} FROM ${rowsText(COLUMNS)}`;

const DROP = `
  DELETE FROM task_history USING unnest($1::bigint[], $2::bigint[]) AS old (seq, version)
  WHERE task_history.seq = old.seq AND task_history.version = old.version`;
