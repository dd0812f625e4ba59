import { inOrder, type Listenable, type Service } from '@agent-reach/core/kernel';
import type { Change } from '../peers/changes.ts';
import { Dispatcher } from './dispatcher.ts';
import { heardOfTask } from './news.ts';
import { reaper } from './reaper.ts';
import { welcome } from './rebind.ts';
import { agentName, type TaskRoom } from './room.ts';

/** An agent by name. */
export interface AgentAt {
  tenant: string;
  agentId: string;
}

/** What the registry tells of agents. */
export interface Comings {
  /** One that can take work now and could not, or did not offer it, before. */
  arrivals: Listenable<AgentAt>;
  /** One that shall get no more, or an instance of it. */
  departures: Listenable<AgentAt>;
}

/**
 * Tasks at work. Started last and stopped first: whoever waits for work or for an end is sent home
 * before the doors close, and nothing more is sent.
 */
export function taskService(room: TaskRoom, comings: Comings): Service {
  return inOrder([calls(room), reaper(room), new Dispatcher(room), host(room, comings)]);
}

/** Calls that an agent has fetched may end while the doors are open: its word comes through them. */
function calls({ callers, clock, options }: TaskRoom): Service {
  return {
    async start() {},
    async stop() {
      const patience = new AbortController();
      const over = clock.sleep(options.drainMs, patience.signal).catch(() => {});
      await Promise.race([callers.empty(), over]);
      patience.abort();
    },
  };
}

function host(room: TaskRoom, { arrivals, departures }: Comings): Service {
  let listening = new DisposableStack();
  const welcomes = new Set<Promise<void>>();
  return {
    async start() {
      listening = new DisposableStack();
      listening.use(
        arrivals.on((at) => {
          const work = welcome(at, room)
            .catch((error: unknown) =>
              room.log.error({ err: error, ...at }, 'an arrival was missed'),
            )
            .finally(() => welcomes.delete(work));
          welcomes.add(work);
        }),
      );
      // Those who wait for its work look again, and are told that there is none.
      listening.use(departures.on((at) => room.takers.wake(agentName(at))));
      listening.use(room.peers.heard.on((change) => hear(change, room)));
    },
    async stop() {
      listening.dispose();
      room.takers.close();
      room.watchers.close();
      room.callers.wakeAll();
      await Promise.all(welcomes);
    },
  };
}

/** What other gateways tell of tasks. */
function hear(change: Change, room: TaskRoom): void {
  if (change.kind === 'task') heardOfTask(change, room);
  if (change.kind !== 'work') return;
  room.takers.wake(agentName(change), 1);
  room.kick({ tenant: change.tenant, agentId: change.agentId });
}
