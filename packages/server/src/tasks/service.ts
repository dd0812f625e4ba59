import { inOrder, type Listenable, type Service } from '@agent-reach/core/kernel';
import { Dispatcher } from './dispatcher.ts';
import { reaper } from './reaper.ts';
import { welcome } from './rebind.ts';
import type { TaskRoom } from './room.ts';

/** An agent that can take work now and could not, or did not offer it, before. */
export interface Arrival {
  tenant: string;
  agentId: string;
}

/**
 * Tasks at work. Started last and stopped first: whoever waits for work or for an end is sent home
 * before the doors close, and nothing more is sent.
 */
export function taskService(room: TaskRoom, arrivals: Listenable<Arrival>): Service {
  return inOrder([reaper(room), new Dispatcher(room), host(room, arrivals)]);
}

function host(room: TaskRoom, arrivals: Listenable<Arrival>): Service {
  let listening: Disposable | undefined;
  const welcomes = new Set<Promise<void>>();
  return {
    async start() {
      listening = arrivals.on((at) => {
        const work = welcome(at, room)
          .catch((error: unknown) => room.log.error({ err: error, ...at }, 'an arrival was missed'))
          .finally(() => welcomes.delete(work));
        welcomes.add(work);
      });
    },
    async stop() {
      listening?.[Symbol.dispose]();
      room.takers.close();
      room.watchers.close();
      await Promise.all(welcomes);
    },
  };
}
