import { demandOneOf, demandWhole } from '../../spi/demand.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import { list, PIECE } from '../arguments.ts';
import type { Engine } from '../engine.ts';
import { items } from '../rows.ts';
import { toTasks } from './row.ts';
import { Turns } from './turns.ts';

type TimeMoves = Pick<TasksStore, 'expire' | 'tick' | 'grace' | 'prune'>;

/** What time does to tasks. Each script takes on a piece, so these go on until all is done. */
export function timeMoves(engine: Engine): TimeMoves {
  return {
    expire: (move) => expire(engine, move),
    tick: (move) => tick(engine, move),
    grace: (move) => grace(engine, move),
    prune: (move) => prune(engine, move),
  };
}

type Move<Name extends keyof TasksStore> = Parameters<TasksStore[Name]>[0];

async function expire(engine: Engine, move: Move<'expire'>) {
  const { deliveriesMax, whenSpent = 'dead', delaysMs, limit, now } = move;
  demandWhole('limit', limit, 1);
  demandWhole('deliveriesMax', deliveriesMax, 1);
  for (const delayMs of delaysMs) demandWhole('delaysMs', delayMs, 0);
  demandOneOf('whenSpent', whenSpent, ['dead', 'failed']);
  const expired: TaskRow[] = [];
  const turns = new Turns();
  await piecewise(limit, async (size) => {
    const words = [now, deliveriesMax, whenSpent, size, ...list(delaysMs)];
    const reply = await engine.run('tasks/expire', words);
    const [ended, next] = items(reply).map(toTasks);
    return turns.take(expired, ended, next);
  });
  return { expired, next: turns.left() };
}

async function tick(engine: Engine, { limit, now }: Move<'tick'>) {
  demandWhole('limit', limit, 1);
  const overdue: TaskRow[] = [];
  const due: TaskRow[] = [];
  const turns = new Turns();
  await piecewise(limit, async (size) => {
    const [ended, next] = items(await engine.run('tasks/overdue', [now, size])).map(toTasks);
    return turns.take(overdue, ended, next);
  });
  await piecewise(limit, async (size) => {
    const queued = toTasks(await engine.run('tasks/due', [now, size]));
    return due.push(...queued) && queued.length;
  });
  return { overdue, due, next: turns.left() };
}

async function grace(engine: Engine, { leaseMs, now }: Move<'grace'>): Promise<number> {
  demandWhole('leaseMs', leaseMs, 1);
  let until = now;
  let count = 0;
  await piecewise(Infinity, async (size) => {
    const reply = await engine.run('tasks/grace', [until, count === 0 ? leaseMs : 0, size]);
    const [lengthened = 0, endsAt = 0] = items(reply).map(Number);
    // From then on by the first one's clock: a later moment would find all of them short again.
    until = endsAt;
    count += lengthened;
    return lengthened;
  });
  return count;
}

async function prune(engine: Engine, move: Move<'prune'>) {
  const { endedBefore, deadBefore, limit, now } = move;
  demandWhole('limit', limit, 1);
  const turns = new Turns();
  const forget = (index: 'ended' | 'died', before: number, most: number) =>
    piecewise(most, async (size) => {
      const reply = await engine.run('tasks/prune', [index, before, size, now]);
      const [count, next] = items(reply);
      turns.take([], [], toTasks(next));
      return Number(count);
    });
  const ended = await forget('ended', endedBefore, limit);
  const dead = await forget('died', deadBefore, limit - ended);
  await piecewise(Infinity, async (size) => Number(await engine.run('tasks/prune-queues', [size])));
  return { forgotten: ended + dead, next: turns.left() };
}

/**
 * Repeats a step, which does at most `size` and answers how many it did, until `limit` are done or
 * there is no more to do; answers how many were done.
 */
async function piecewise(limit: number, step: (size: number) => Promise<number>): Promise<number> {
  let done = 0;
  for (;;) {
    const size = Math.min(limit - done, PIECE);
    const count = size > 0 ? await step(size) : 0;
    done += count;
    if (size === 0 || count < size) return done;
  }
}
