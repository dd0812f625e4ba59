import { test } from 'node:test';
import { exerciseStorage } from '../contract/exercise.ts';
import { historiesOf } from '../contract/exercise-tasks-model.ts';
import { tempStores, whyNoRedis } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

const why = await whyNoRedis();

if (why === undefined) {
  const stores = await tempStores();
  exerciseStorage({
    name: 'redis',
    open: () => stores.open(),
    beside: (storage) => stores.beside(storage),
    reopen: (storage) => stores.reopen(storage),
    check: (storage) => assertTasksWhole(stores.client, stores.prefixOf(storage)),
    // Each step is some answers of a server, and the table of moves is the one of all drivers.
    histories: historiesOf({ inCi: 200, elsewhere: 30 }),
  });
} else {
  test('the storage contract on redis', { skip: why });
}
