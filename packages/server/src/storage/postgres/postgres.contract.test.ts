import { exerciseStorage } from '../contract/exercise.ts';
import { historiesOf } from '../contract/exercise-tasks-model.ts';
import { ownSchemas, withPostgres } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

await withPostgres(() => {
  const schemas = ownSchemas();
  exerciseStorage({
    name: 'postgres',
    open: () => schemas.open(),
    beside: (storage) => schemas.openIn(schemas.schemaOf(storage)),
    reopen: (storage) => schemas.reopen(storage),
    check: (storage) => assertTasksWhole(schemas.schemaOf(storage)),
    // A step is some ten questions, each a statement of a server: a history takes one to two seconds.
    histories: historiesOf({ inCi: 50, elsewhere: 5 }),
  });
});
