import type { TaskState } from '@agent-reach/core/task-states';
import type { HistoryRow } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Stored } from './stored.ts';

/** What a line says beyond what the task, after the move, says itself. */
export interface Line {
  from: TaskState | null;
  cause: HistoryRow['cause'];
  agentId?: string | null;
  by?: string | undefined;
  reason?: string | undefined;
}

/** Adds the line of `task.version`. A task that bounces for ever keeps a bounded tale of it. */
export function writeLine(db: Database, task: Stored, line: Line): void {
  db.write(
    ADD,
    task.seq,
    task.version,
    task.updatedAt,
    line.from,
    task.state,
    line.cause,
    task.epoch,
    line.agentId ?? null,
    task.holder,
    line.by ?? null,
    line.reason ?? null,
  );
  const old = task.version - LINES_MAX;
  if (old > 1) db.write(DROP, task.seq, old);
}

/** And the first one, which says how it began. */
const LINES_MAX = 255;

const ADD = 'INSERT INTO task_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

const DROP = 'DELETE FROM task_history WHERE seq = ? AND version = ?';
