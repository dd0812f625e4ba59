import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareOver } from '../../contract/tasks-compare.ts';
import { TasksModel } from '../../contract/tasks-model.ts';
import { modelStore } from '../../contract/tasks-model-store.ts';
import { databaseOf, openSqlite } from '../open.ts';
import { houseOf } from '../testing/kit.ts';
import { assertTasksWhole } from '../testing/tasks-whole.ts';

/**
 * Faults in the driver itself, planted as triggers: the mirror of the contract's faults in the
 * model. RAISE(IGNORE) makes a statement pass over the row without a word.
 */
const FAULTS: Readonly<Record<string, string>> = {
  'a release is charged': `
    AFTER UPDATE OF state ON tasks WHEN NEW.cause = 'released' BEGIN
      UPDATE tasks SET deliveries = OLD.deliveries WHERE seq = NEW.seq; END`,
  'a chain is never unblocked': `
    BEFORE UPDATE OF state ON tasks WHEN NEW.cause = 'unblocked' BEGIN SELECT RAISE(IGNORE); END`,
  'an end can be undone': `
    AFTER UPDATE OF state ON tasks WHEN NEW.cause = 'timeout' AND OLD.state = 'running' BEGIN
      UPDATE tasks SET state = 'queued', ended_at = NULL, ready_at = 0 WHERE seq = NEW.seq; END`,
  'some lapsed leases are passed over': `
    BEFORE UPDATE OF state ON tasks WHEN NEW.cause = 'lease-lost' AND OLD.seq % 3 = 0 BEGIN
      SELECT RAISE(IGNORE); END`,
  'a delivery is not counted': `
    AFTER UPDATE OF state ON tasks WHEN NEW.cause = 'claimed' AND NEW.deliveries = 2 BEGIN
      UPDATE tasks SET deliveries = 1 WHERE seq = NEW.seq; END`,
  'a line of history is lost': `
    BEFORE INSERT ON task_history WHEN NEW.cause = 'retry' BEGIN SELECT RAISE(IGNORE); END`,
  'a lane miscounts': `
    AFTER UPDATE OF dead ON task_lanes WHEN NEW.dead = 1 BEGIN
      UPDATE task_lanes SET queued = queued + 1 WHERE lane = NEW.lane; END`,
  'an orphan is lost': `
    BEFORE INSERT ON task_orphans WHEN NEW.epoch > 1 BEGIN SELECT RAISE(IGNORE); END`,
  'a key is not written with its task': `
    BEFORE INSERT ON keys WHEN NEW.state = 'done' BEGIN SELECT RAISE(IGNORE); END`,
  'the turn of callers is forgotten': `
    AFTER UPDATE OF turns ON task_queues WHEN NEW.taken % 4 = 0 BEGIN
      UPDATE task_queues SET turns = '{}' WHERE queue = NEW.queue; END`,
};

const SEEDS_MAX = 20;

for (const [fault, trigger] of Object.entries(FAULTS)) {
  test(`a fault planted in the tables is found: ${fault}`, async (t) => {
    for (let seed = 1; seed <= SEEDS_MAX; seed++) {
      await using storage = await openSqlite({ dir: ':memory:', ...houseOf() });
      databaseOf(storage)?.exec(`CREATE TRIGGER fault ${trigger}`);
      const check = () => assertTasksWhole(storage);
      const pair = { store: storage.tasks, model: modelStore(new TasksModel()), check };
      const found = await compareOver(pair, seed, 400).catch(String);
      if (found === undefined) continue;
      t.diagnostic(`found by history ${seed}: ${found.slice(0, 60)}`);
      return;
    }
    assert.fail(`${SEEDS_MAX} histories did not find it`);
  });
}
