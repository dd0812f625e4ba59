import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareOver } from '../contract/tasks-compare.ts';
import { TasksModel } from '../contract/tasks-model.ts';
import { modelStore } from '../contract/tasks-model-store.ts';
import { readScripts, readSource } from './scripts.ts';
import { tempStores, whyNoRedis } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

/**
 * Faults in the scripts themselves, each a line that is another one: the mirror of the contract's
 * faults in the model.
 */
const FAULTS: Readonly<Record<string, readonly [file: string, line: string, faulty: string]>> = {
  'a release is charged': [
    'tasks/settle',
    'task.deliveries = task.deliveries - 1',
    'task.deliveries = task.deliveries',
  ],
  'a chain is never unblocked': ['tasks/move', 'if not first then', 'if true then'],
  'some lapsed leases are passed over': [
    'tasks/expire',
    "'-inf', now, 'LIMIT', 0, limit",
    "'-inf', now, 'LIMIT', 0, limit - 1",
  ],
  'a delivery is not counted': [
    'tasks/claim',
    'task.deliveries + 1',
    'math.max(1, task.deliveries)',
  ],
  'a line of history is lost': [
    'tasks/task',
    'saveTask(task, LINE_NAMES[version], text, ...)',
    "if line.cause == 'retry' then saveTask(task, ...) else saveTask(task, LINE_NAMES[version], text, ...) end",
  ],
  'a queue miscounts': [
    'tasks/queue',
    'recountAs(queue, task.state, by)',
    "recountAs(queue, task.state, task.state == 'dead' and 1 or by)",
  ],
  'an orphan is lost': ['tasks/settle', 'if not holder then', 'if not holder or epoch > 1 then'],
  'a key is not written with its task': ['tasks/submit', 'keepKey(named, {', 'local _ = ({'],
  'the turn of callers is forgotten': [
    'tasks/claim',
    'local last = lastServed(priority)',
    'local last = nil',
  ],
  'an empty lane stays open': [
    'tasks/queue',
    'drop(spot.queue.lanes, ',
    "call('ZSCORE', spot.queue.lanes, ",
  ],
  'what ended keeps its deadline': [
    'tasks/move',
    "if hasEnded or task.state == 'dead'",
    'if false',
  ],
  'a queue forgets who lives there': [
    'tasks/bind',
    'joinQueue(task)',
    "put(P .. 'queues', 0, queueOf(task))",
  ],
  'spent tasks are always parked': ['tasks/settle', "word.whenSpent == 'failed'", 'false'],
  'lapsed tasks are always parked': ['tasks/expire', "whenSpent ~= 'failed'", 'true'],
  'an edit overwrites what it has not seen': ['tasks/edit', 'not version or', 'true or'],
  'who is skipped keeps the turn': [
    'tasks/skip',
    'decided(task, passTurn(task, now))',
    'decided(task)',
  ],
  'what is noted of a task does not move it': [
    'tasks/desk',
    'put(index, at, task.seq)',
    "call('ZSCORE', index, task.seq)",
  ],
  'a place remembers whom it forgot': [
    'tasks/prune',
    "drop(P .. 'place:'",
    "call('ZSCORE', P .. 'place:'",
  ],
  'callers are served backwards': [
    'tasks/claim',
    'return isBefore(a.principal, b.principal)',
    'return a.principal > b.principal',
  ],
};

const SEEDS_MAX = 20;
const why = await whyNoRedis();
const stores = why === undefined ? await tempStores() : undefined;

for (const [fault, [file, line, faulty]] of Object.entries(FAULTS)) {
  test(`a fault planted in the scripts is found: ${fault}`, { skip: why ?? false }, async (t) => {
    assert.ok(stores);
    const source = (name: string) => {
      const text = readSource(name);
      if (name !== file) return text;
      assert.ok(text.includes(line), `${file} does not say ${line}`);
      return text.replace(line, () => faulty);
    };
    // A fault that the server cannot read would be found by anything.
    for (const { text } of Object.values(readScripts(source))) await stores.client.scriptLoad(text);
    for (let seed = 1; seed <= SEEDS_MAX; seed++) {
      await using storage = await stores.open(source);
      const check = () => assertTasksWhole(stores.client, stores.prefixOf(storage));
      const pair = { store: storage.tasks, model: modelStore(new TasksModel()), check };
      const found = await compareOver(pair, seed, 400).catch(String);
      if (found === undefined) continue;
      t.diagnostic(`found by history ${seed}: ${found.slice(0, 60)}`);
      return;
    }
    assert.fail(`${SEEDS_MAX} histories did not find it`);
  });
}
