import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compareOver } from '../../contract/tasks-compare.ts';
import { TasksModel } from '../../contract/tasks-model.ts';
import { modelStore } from '../../contract/tasks-model-store.ts';
import { onDatabase, ownSchemas, withPostgres } from '../testing/kit.ts';
import { assertTasksWhole } from '../testing/tasks-whole.ts';

/** A fault in the driver itself: what a trigger does before a row is written. */
interface Fault {
  before: string;
  when: string;
  /** Changes `NEW`; left out: the row is passed over without a word. */
  change?: string;
}

/** The mirror of the contract's faults in the model. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'a release is charged': {
    before: 'UPDATE ON tasks',
    when: "NEW.cause = 'released' AND OLD.cause IS DISTINCT FROM 'released'",
    change: 'NEW.deliveries := OLD.deliveries',
  },
  'a chain is never unblocked': { before: 'UPDATE ON tasks', when: "NEW.cause = 'unblocked'" },
  'some lapsed leases are passed over': {
    before: 'UPDATE ON tasks',
    when: "NEW.cause = 'lease-lost' AND OLD.seq % 3 = 0",
  },
  'a line of history is lost': { before: 'INSERT ON task_history', when: "NEW.cause = 'retry'" },
  'a lane miscounts': {
    before: 'UPDATE ON task_lanes',
    when: 'NEW.dead = 1 AND OLD.dead = 0',
    change: 'NEW.queued := NEW.queued + 1',
  },
  'an orphan is lost': { before: 'INSERT ON task_orphans', when: 'NEW.epoch > 1' },
  'a key is not written with its task': { before: 'INSERT ON keys', when: "NEW.state = 'done'" },
  'the turn of callers is forgotten': {
    before: 'INSERT OR UPDATE ON task_turns',
    when: 'NEW.priority IN (3, 4)',
  },
};

const SEEDS_MAX = 20;

function triggerOf({ before, when, change }: Fault): string {
  const body = change === undefined ? 'RETURN NULL' : `${change}; RETURN NEW`;
  return `
    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$;
    CREATE TRIGGER fault BEFORE ${before} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fault()`;
}

await withPostgres(() => {
  suite('faults planted in the tables are found', () => {
    const schemas = ownSchemas();

    for (const [name, fault] of Object.entries(FAULTS)) {
      test(name, async (t) => {
        for (let seed = 1; seed <= SEEDS_MAX; seed++) {
          const schema = schemas.name();
          await using storage = await schemas.openIn(schema);
          await onDatabase((client) =>
            client.query(`SET search_path TO ${schema}; ${triggerOf(fault)}`),
          );
          const check = () => assertTasksWhole(schema);
          const pair = { store: storage.tasks, model: modelStore(new TasksModel()), check };
          const found = await compareOver(pair, seed, 400).catch(String);
          if (found === undefined) continue;
          t.diagnostic(`found by history ${seed}: ${found.slice(0, 60)}`);
          return;
        }
        assert.fail(`${SEEDS_MAX} histories did not find it`);
      });
    }
  });
});
