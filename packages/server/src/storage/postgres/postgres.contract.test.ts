import { exerciseStorage } from '../contract/exercise.ts';
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
    // A step is some twenty questions, and each takes its round trip: with five histories the contract
    // files of this room take about two minutes on two idle cores.
    histories: Number(process.env['REACH_HISTORIES'] ?? 5),
  });
});
