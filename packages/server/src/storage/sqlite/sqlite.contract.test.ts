import { exerciseStorage } from '../contract/exercise.ts';
import { openSqlite } from './open.ts';
import { houseOf, tempDirs } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

const dirs = tempDirs();

exerciseStorage({
  name: 'sqlite in a file',
  open: () => dirs.open(),
  reopen: (storage) => dirs.reopen(storage),
  check: assertTasksWhole,
  // Each step waits for the disk, and the operations are those of the other one.
  histories: 5,
});

exerciseStorage({
  name: 'sqlite in memory',
  open: () => openSqlite({ dir: ':memory:', ...houseOf() }),
  check: assertTasksWhole,
});
