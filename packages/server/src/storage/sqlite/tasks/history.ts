import { LINES_MAX, type Line } from '../../moves/shelf.ts';
import type { Stored } from '../../moves/stored.ts';
import type { Database } from '../database.ts';

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

const ADD = 'INSERT INTO task_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

const DROP = 'DELETE FROM task_history WHERE seq = ? AND version = ?';
