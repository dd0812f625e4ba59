import { suite } from 'node:test';
import type { Driver } from './driver.ts';
import { exerciseTasksChain } from './exercise-tasks-chain.ts';
import { exerciseTasksClaim } from './exercise-tasks-claim.ts';
import { exerciseTasksDesk } from './exercise-tasks-desk.ts';
import { exerciseTasksHold } from './exercise-tasks-hold.ts';
import { exerciseTasksKeys } from './exercise-tasks-keys.ts';
import { exerciseTasksFaults, exerciseTasksHistories } from './exercise-tasks-model.ts';
import { exerciseTasksMoves } from './exercise-tasks-moves.ts';
import { exerciseTasksRead } from './exercise-tasks-read.ts';
import { exerciseTasksSettle } from './exercise-tasks-settle.ts';
import { exerciseTasksSubmit } from './exercise-tasks-submit.ts';
import { exerciseTasksTime } from './exercise-tasks-time.ts';

/** Tasks, from submission to the day they are forgotten. */
export function exerciseTasks(driver: Driver): void {
  suite('tasks: submit', () => exerciseTasksSubmit(driver));
  suite('tasks: keys', () => exerciseTasksKeys(driver));
  suite('tasks: claim', () => exerciseTasksClaim(driver));
  exerciseTasksHold(driver);
  exerciseTasksSettle(driver);
  suite('tasks: time', () => exerciseTasksTime(driver));
  suite('tasks: chains', () => exerciseTasksChain(driver));
  suite('tasks: the desk', () => exerciseTasksDesk(driver));
  suite('tasks: questions, and what is forgotten', () => exerciseTasksRead(driver));
  suite('tasks: all moves', () => exerciseTasksMoves(driver));
  exerciseTasksHistories(driver);
  suite('tasks: faults planted in the model', () => exerciseTasksFaults(driver));
}
