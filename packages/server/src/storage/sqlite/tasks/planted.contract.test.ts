import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TasksModel } from '../../contract/tasks-model.ts';
import { type Room, tell, tellClosely } from '../../contract/tasks-tell.ts';
import { databaseOf } from '../open.ts';
import { inMemory } from '../testing/memory.ts';

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
  'a task that nobody spoke of is written to': `
    AFTER UPDATE OF state ON tasks WHEN NEW.cause = 'acked' BEGIN
      UPDATE tasks SET selector = 'astray' WHERE seq = NEW.seq - 1; END`,
  'a task that nobody spoke of is another one until the next is born': `
    AFTER INSERT ON tasks BEGIN
      UPDATE tasks SET created_at = created_at + iif(NEW.seq % 2 = 0, 1, -1)
      WHERE NEW.seq > 3 AND seq = 2; END`,
};

const SEEDS_MAX = 20;

/** Stores in memory with a fault in them. */
function faultyRoom(trigger: string): Room {
  return {
    ...inMemory,
    async open() {
      const storage = await inMemory.open();
      databaseOf(storage)?.exec(`CREATE TRIGGER fault ${trigger}`);
      return storage;
    },
  };
}

for (const [fault, trigger] of Object.entries(FAULTS)) {
  test(`a fault planted in the tables is found: ${fault}`, async (t) => {
    const room = faultyRoom(trigger);
    for (let seed = 1; seed <= SEEDS_MAX; seed++) {
      await using storage = await room.open();
      const found = await tell(room, storage, { model: new TasksModel(), seed });
      if (found === undefined) continue;
      t.diagnostic(`found by ${found.slice(0, 80)}`);
      return;
    }
    assert.fail(`${SEEDS_MAX} histories did not find it`);
  });
}

test('a history that fails names the step that went astray, and how to repeat it', async () => {
  // Every row is looked at a few steps later; this one is changed by a step that does not name it.
  const room = faultyRoom(`
    AFTER UPDATE OF state ON tasks WHEN NEW.cause = 'acked' AND NEW.seq <> 1 BEGIN
      UPDATE tasks SET selector = 'astray' WHERE seq = 1; END`);
  await using storage = await room.open();
  const late = await tell(room, storage, { model: new TasksModel(), seed: 2 });

  const found = await tellClosely(room, 2);

  const stepIn = (text = '') => Number(/seed 2, step (\d+)/.exec(text)?.[1]);
  assert.ok(stepIn(found) < stepIn(late), `${found}`);
  assert.match(found ?? '', new RegExp(`\n${stepIn(found)} (ack|progress) .*\nrepeat it with`));
  assert.match(found ?? '', /REACH_SEED=2 REACH_HISTORIES=1 npm run contract -- storage\/sqlite$/);
});
