import type { Storage } from '../spi/storage.ts';
import type { Driver } from './driver.ts';
import { compareOver } from './tasks-compare.ts';
import { TasksModel } from './tasks-model.ts';
import { modelStore } from './tasks-model-store.ts';

/** Where a history is told. */
export type Room = Pick<Driver, 'name' | 'open' | 'check'>;

/** Which history is told, and what it is compared with. */
export interface Telling {
  model: TasksModel;
  seed: number;
  /** After how many steps every row is compared. */
  allEvery?: number | undefined;
}

const STEPS = 400;

/**
 * Tells one history to a store of its own. Undefined, or what is wrong and how to repeat it: a
 * history that fails is told again with every row compared after every step, so that the first wrong
 * one is named.
 */
export async function tellClosely(room: Room, seed: number): Promise<string | undefined> {
  const once = async (allEvery?: number) => {
    await using storage = await room.open();
    return await tell(room, storage, { model: new TasksModel(), seed, allEvery });
  };
  const found = await once();
  if (found === undefined) return undefined;
  const closer = (await once(1)) ?? `${found}\nand not when it was told again`;
  const [folder] = room.name.split(' ');
  const command = `REACH_SEED=${seed} REACH_HISTORIES=1 npm run contract -- storage/${folder}`;
  return `${closer}\nrepeat it with ${command}`;
}

/** What is wrong, be it that something threw. */
export function tell(
  room: Room,
  storage: Storage,
  { model, seed, allEvery }: Telling,
): Promise<string | undefined> {
  const check = room.check && (() => room.check?.(storage));
  const pair = { store: storage.tasks, model: modelStore(model), check };
  return compareOver(pair, seed, STEPS, allEvery).catch((error: unknown) => {
    return `seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`;
  });
}
