import { type Handlers, ReachError } from '@agent-reach/core';
import {
  type Clock,
  type Fetch,
  type Ids,
  idsFrom,
  inOrder,
  type Log,
  type LoopDelay,
  type Random,
  type Service,
  Signal,
} from '@agent-reach/core/kernel';
import { callHandlers } from '../calls/handlers.ts';
import { httpLink } from '../egress/http.ts';
import type { Link } from '../egress/link.ts';
import { linkByMode, mailboxLink } from '../egress/mailbox.ts';
import { type HttpDoor, type HttpPorts, httpDoor } from '../ingress/http/server.ts';
import { FallbackWatch } from '../pipeline/fallback-watch.ts';
import { routeHandlers } from '../pipeline/handlers.ts';
import { Peers } from '../peers/peers.ts';
import type { RoadPorts } from '../pipeline/ports.ts';
import { keyPruner } from '../policy/key-pruner.ts';
import { Directory } from '../registry/directory.ts';
import { registryHandlers } from '../registry/handlers.ts';
import type { RegistryPorts } from '../registry/ports.ts';
import { noteSeen, noteUnconnected, registryService } from '../registry/registry.ts';
import { refresh } from '../registry/sync.ts';
import { Board } from '../resilience/board.ts';
import { Circuits } from '../resilience/circuits.ts';
import { openRouting } from '../routing/ports.ts';
import { imbalanceWatch } from '../routing/imbalance-watch.ts';
import { policyHandlers, policyService } from '../routing/policies.ts';
import type { Storage } from '../storage/spi/storage.ts';
import { taskHandlers } from '../tasks/handlers.ts';
import { inTwoStores } from '../tasks/two-stores.ts';
import { callsOf } from '../tasks/mail.ts';
import { openRoom, type TaskRoom } from '../tasks/room.ts';
import { type AgentAt, taskService } from '../tasks/service.ts';
import { telemetryHandlers } from '../telemetry/handlers.ts';
import { pruner } from '../telemetry/pruner.ts';
import { Recorder } from '../telemetry/recorder.ts';
import type { Config } from './config.ts';
import { guard } from './guard.ts';
import type { Intake } from './intake.ts';

import { StoreWatch } from './store-watch.ts';
import { type HouseState, systemHandlers } from './system-handlers.ts';

/** The effects on which a house stands. */
export interface Ground {
  config: Config;
  storage: Storage;
  fetch: Fetch;
  tokenKey: Uint8Array;
  clock: Clock;
  /** By which leases, delays and deadlines are counted. Default: `clock`. */
  steady?: Clock;
  random: Random;
  log: Log;
  node: string;
  /** Keeps tasks that may be lost; absent: every task is kept in `storage`. */
  memory?: Pick<Storage, 'tasks'> | undefined;
  /** How late this process is; absent: work is taken in whatever it is. */
  loopDelay?: LoopDelay;
  /** False: no listener is opened; whoever composed asks the rooms through `http`. */
  door?: boolean;
}

/** Who comes for work and who leaves it, from the registry to those that hand it out. */
interface Comings {
  arrivals: Signal<AgentAt>;
  departures: Signal<AgentAt>;
}

/** A house that can be started: its rooms joined, its doors built. */
export interface House extends Service {
  door: HttpDoor;
  http: HttpPorts;
  /** What the operations answer, without a door. */
  handlers: Handlers;
}

/** What the rooms share, and the ports of those two that others build on. */
function portsOf(ground: Ground) {
  const { config, storage, memory, fetch, tokenKey, clock, steady = clock, random, log } = ground;
  const { settings } = config;
  const ids: Ids = idsFrom(clock, random);
  const shared = storage.capabilities.sharedByProcesses;
  const now = () => (shared ? ('store' as const) : steady.now());
  const directory = new Directory(storage.epoch);
  const board = new Board(clock, new Circuits(clock, random, settings.breaker));
  const recorder = new Recorder(storage.traces, clock, log);
  const self = { id: ids.next('gw'), name: ground.node, since: steady.now() };
  const peers = new Peers({ channel: storage.shared?.channel, self, clock, log });
  const missed = (error: unknown) => log.error({ err: error }, 'a coming or going was missed');
  const comings: Comings = { arrivals: new Signal(missed), departures: new Signal(missed) };
  const registry: RegistryPorts = {
    directory,
    storage,
    board,
    peers,
    fetch,
    clock: steady,
    random,
    log,
    now,
    options: settings.registry,
    arrived: (at) => comings.arrivals.emit(at),
    left: (at) => comings.departures.emit(at),
    callTimeoutMaxMs: settings.resilience.callTimeoutMaxMs,
  };
  // The road leaves calls in a mailbox that stands above it: it is looked up when it is used.
  const mailbox: Link = (attempt) => mailboxLink(callsOf(tasks))(attempt);
  const road: RoadPorts = {
    policy: { ledger: storage.ledger, clock, ids, now, tokenKey, options: settings.policy },
    routing: openRouting({ directory, board, random, options: settings.routing }),
    link: linkByMode(httpLink(fetch), mailbox),
    board,
    bulkhead: settings.bulkhead,
    recorder,
    clock,
    ids,
    random,
    log,
    fallbacks: new FallbackWatch(log),
    unconnected: (at) => noteUnconnected(at, registry),
  };
  const tasks: TaskRoom = openRoom({
    road,
    clock: steady,
    peers,
    ...tasksIn(storage, memory, settings.tasks),
    now,
    options: settings.tasks,
    lookUp: async (at) => (peers.isPossible ? refresh(at, registry) : undefined),
    seen: (at) => {
      noteSeen(at, registry).catch((error: unknown) =>
        log.error({ err: error, ...at }, 'a sign of life could not be noted'),
      );
    },
  });
  return { directory, recorder, peers, registry, road, tasks, comings, now };
}

function tasksIn(
  storage: Storage,
  memory: Ground['memory'],
  { shortMax: tasksMax, shortRetentionMs: retentionMs }: Config['settings']['tasks'],
): Pick<TaskRoom, 'store' | 'hasShortRoom'> {
  if (memory === undefined) return { store: storage.tasks, hasShortRoom: () => false };
  const { store, hasRoom } = inTwoStores(storage.tasks, memory.tasks, { tasksMax, retentionMs });
  return { store, hasShortRoom: hasRoom };
}

/** Joins the rooms. The only place that knows every other one. */
export function compose(ground: Ground): House {
  const { config, storage, clock, log, node } = ground;
  const { settings } = config;
  const { directory, recorder, peers, registry, road, tasks, comings, now } = portsOf(ground);
  let state: HouseState = 'starting';
  const watch = new StoreWatch({ storage, clock, log });
  const { rules } = storage;
  const documents = { rules, weights: road.routing.weights, directory, peers, clock, now, log };
  const handlers: Handlers = {
    ...registryHandlers(registry),
    ...routeHandlers(road),
    ...policyHandlers(documents),
    ...callHandlers(road),
    ...taskHandlers(tasks),
    ...telemetryHandlers({ store: storage.traces, recorder }),
    ...systemHandlers({
      config,
      directory,
      peers,
      clock,
      driver: storage.driver,
      node,
      state: () => (state === 'ok' && watch.isFailing ? 'failing' : state),
    }),
  };
  const http: HttpPorts = {
    dispatch: guard({ handlers, recorder, clock, log, intake: intakeOf(ground, road.policy) }),
    clock,
    log,
    listeners: listenersOf(config),
    ...settings.http,
  };
  const door = httpDoor(http);
  const rooms = inOrder([
    recorder,
    watch,
    // Before anything is loaded: what changes from then on is heard.
    peers,
    pruner({ store: storage.traces, clock, log, options: settings.telemetry }),
    keyPruner({ ledger: storage.ledger, clock, log, now }),
    registryService(registry),
    policyService(documents),
    imbalanceWatch({ routing: road.routing, clock, log, waitingOf: waitingIn(storage) }),
    ...(ground.door === false ? [] : [door]),
    // Last, so that it stops first: nobody waits for work behind a door that closes.
    taskService(tasks, comings),
  ]);
  return {
    door,
    http,
    handlers,
    async start() {
      await rooms.start();
      state = 'ok';
    },
    async stop() {
      const noticeMs = state === 'ok' ? settings.house.stopNoticeMs : 0;
      state = 'stopping';
      peers.withdraw();
      if (noticeMs > 0) await clock.sleep(noticeMs);
      await rooms.stop();
    },
  };
}

/** Counts tasks of a capability that wait for an agent. */
function waitingIn({ tasks }: Storage) {
  return async (
    { tenant, agentId, capability }: { tenant: string; agentId: string; capability: string },
    limit: number,
  ): Promise<number> => {
    const query = { tenant, agentId, taskType: capability, limit };
    return (await tasks.list({ ...query, states: ['blocked', 'queued', 'waiting'] })).length;
  };
}

function intakeOf({ config, loopDelay }: Ground, policy: RoadPorts['policy']): Intake {
  return { delay: loopDelay, policy, limits: config.settings.limits };
}

function listenersOf({ settings }: Config): { host: string; port: number }[] {
  const { host, businessPort, agentPort } = settings.http;
  const ports = [businessPort, agentPort].filter((port) => port !== 'off');
  const distinct = ports.filter((port, i) => port === 0 || ports.indexOf(port) === i);
  if (host.length === 0) throw new ReachError('validation-failed', 'listen.host names no address.');
  return host.flatMap((one) => distinct.map((port) => ({ host: one, port })));
}
