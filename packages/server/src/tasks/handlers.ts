import { type HandlersOf, toProblem } from '@agent-reach/core';
import { cancel } from './cancel.ts';
import { claim } from './claim.ts';
import { getDead, listDead } from './dead-letters.ts';
import { edit, parkByHand, redrive, skip, undo } from './desk.ts';
import { getOrder } from './orders.ts';
import { listQueues } from './queues.ts';
import { get, history, list } from './read.ts';
import { redriveMany } from './redrive-many.ts';
import type { TaskRoom } from './room.ts';
import { complete, fail, release } from './settle.ts';
import { submit } from './submit.ts';
import { submitBulk } from './submit-bulk.ts';
import { why } from './why.ts';
import { ack, extend, progress } from './words.ts';

/** What tasks answer. */
export function taskHandlers(
  room: TaskRoom,
): HandlersOf<'tasks' | 'dead-letters' | 'orders' | 'queues'> {
  return {
    'tasks.submit': (input, asker) => submit(input, asker, room),
    'tasks.submit-many': async (input, asker) => ({
      tasks: (await submitBulk(input.tasks, asker, room)).map((one) =>
        'ticket' in one ? one : { problem: toProblem(one.error) },
      ),
    }),
    'tasks.get': (input, asker) => get(input, asker, room),
    'tasks.list': (input, asker) => list(input, asker, room),
    'tasks.history': (input, asker) => history(input, asker, room),
    'tasks.why': (input, asker) => why(input, asker, room),
    'tasks.park': (input, asker) => parkByHand(input, asker, room),
    'tasks.cancel': (input, asker) => cancel(input, asker, room),
    'tasks.claim': (input, asker) => claim(input, asker, room),
    'tasks.ack': (input, asker) => ack(input, asker, room),
    'tasks.extend': (input, asker) => extend(input, asker, room),
    'tasks.progress': (input, asker) => progress(input, asker, room),
    'tasks.complete': (input, asker) => complete(input, asker, room),
    'tasks.fail': (input, asker) => fail(input, asker, room),
    'tasks.release': (input, asker) => release(input, asker, room),
    'dead-letters.list': (input, asker) => listDead(input, asker, room),
    'dead-letters.get': (input, asker) => getDead(input, asker, room),
    'dead-letters.edit': (input, asker) => edit(input, asker, room),
    'dead-letters.undo': (input, asker) => undo(input, asker, room),
    'dead-letters.skip': (input, asker) => skip(input, asker, room),
    'dead-letters.redrive': (input, asker) => redrive(input, asker, room),
    'dead-letters.redrive-many': (input, asker) => redriveMany(input, asker, room),
    'queues.list': (input, asker) => listQueues(input, asker, room),
    'orders.get': (input, asker) => getOrder(input, asker, room),
  };
}
