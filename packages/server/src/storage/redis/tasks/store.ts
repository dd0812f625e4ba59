import type { TasksStore } from '../../spi/tasks.ts';
import type { Engine } from '../engine.ts';
import { deskMoves } from './desk.ts';
import { holderMoves } from './holders.ts';
import { reads } from './reads.ts';
import { timeMoves } from './time.ts';

/** Tasks. */
export function tasksOn(engine: Engine): TasksStore {
  return { ...holderMoves(engine), ...timeMoves(engine), ...deskMoves(engine), ...reads(engine) };
}
