import { exerciseStorage } from '../contract/exercise.ts';
import { historiesOf } from '../contract/exercise-tasks-model.ts';
import { tellOnThreads } from './testing/histories.ts';
import { tempDirs } from './testing/kit.ts';
import { inMemory } from './testing/memory.ts';
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
  ...inMemory,
  histories: historiesOf({ inCi: 2_000, elsewhere: 300 }),
  tell: tellOnThreads(),
});
