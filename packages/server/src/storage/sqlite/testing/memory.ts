import type { Room } from '../../contract/tasks-tell.ts';
import { openSqlite } from '../open.ts';
import { houseOf } from './kit.ts';
import { assertTasksWhole } from './tasks-whole.ts';

/** A store in memory, to whoever exercises it. */
export const inMemory = {
  name: 'sqlite in memory',
  open: () => openSqlite({ dir: ':memory:', ...houseOf() }),
  check: assertTasksWhole,
} satisfies Room;
