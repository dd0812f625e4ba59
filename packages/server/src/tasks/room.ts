import type { Clock, Log, Values } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { RoadPorts } from '../pipeline/ports.ts';
import type { Now } from '../storage/spi/now.ts';
import type { TasksStore } from '../storage/spi/tasks.ts';
import { QueueBook } from './book.ts';
import { Holds } from './holds.ts';
import type { TASK_OPTIONS } from './options.ts';
import { Waiters } from './waiters.ts';

/** What tasks work with. */
export interface TaskPorts {
  road: RoadPorts;
  /** The one that store moves are timed by. */
  clock: Clock;
  store: TasksStore;
  /** Other gateways that hand out the same tasks. */
  peers: Peers;
  /** Whether the store has a place for another task that may be lost with this process. */
  hasShortRoom: () => boolean;
  /** The time handed to store moves. */
  now: () => Now;
  options: Values<typeof TASK_OPTIONS>;
  /** Takes over an agent that another gateway has registered. */
  lookUp: (at: { tenant: string; agentId: string }) => Promise<unknown>;
  /** Told when an instance comes for its work: a sign of life. */
  seen: (at: { tenant: string; agentId: string; instanceId: string }) => void;
}

/** The room with what it keeps in memory: nothing that the store could not give again. */
export interface TaskRoom extends TaskPorts {
  log: Log;
  book: QueueBook;
  holds: Holds;
  /** Agents that wait for work, by `agentName`. */
  takers: Waiters;
  /** Those who wait for the end of a task, by `taskName`. */
  watchers: Waiters;
  /** Calls to agents that pull, which wait for theirs: by `taskName`, too. */
  callers: Waiters;
  /** Looks whether there is work to be sent to this agent. Set by the dispatcher. */
  kick: (at: { tenant: string; agentId: string }) => void;
  /** Whether whoever sends leaves all of an agent alone for a while. Set by the dispatcher. */
  isPaused: (at: { tenant: string; agentId: string }) => boolean;
}

/** The room's memory, empty. */
export function openRoom(ports: TaskPorts): TaskRoom {
  const { clock } = ports;
  const { log } = ports.road;
  return {
    ...ports,
    log,
    book: new QueueBook(),
    holds: new Holds(),
    takers: new Waiters(clock, ports.options.waitersMax),
    watchers: new Waiters(clock, ports.options.waitersMax),
    callers: new Waiters(clock, ports.options.waitersMax),
    kick: () => {},
    isPaused: () => false,
  };
}

/** The name under which an agent's takers wait. */
export function agentName({ tenant, agentId }: { tenant: string; agentId: string }): string {
  return `${tenant}/${agentId}`;
}

/** The name under which those wait who want a task's end. */
export function taskName({ tenant, taskId }: { tenant: string; taskId: string }): string {
  return `${tenant}/${taskId}`;
}
