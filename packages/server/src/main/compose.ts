import { type Handlers, ReachError } from '@agent-reach/core';
import { type Ids, idsFrom, inOrder, type Service, Signal } from '@agent-reach/core/kernel';
import { callHandlers } from '../calls/handlers.ts';
import { httpLink } from '../egress/http.ts';
import type { Link } from '../egress/link.ts';
import { linkByMode, mailboxLink } from '../egress/mailbox.ts';
import { type HttpDoor, type HttpPorts, httpDoor } from '../ingress/http/server.ts';
import { FallbackWatch } from '../pipeline/fallback-watch.ts';
import { routeHandlers } from '../pipeline/handlers.ts';
import { Peers } from '../peers/peers.ts';
import type { RoadPorts } from '../pipeline/ports.ts';
import { capabilityHandlers } from '../policy/claims.ts';
import { clientHandlers } from '../policy/clients/handlers.ts';
import { budgetHandlers } from '../policy/budgets/handlers.ts';
import { confirmationHandlers } from '../policy/confirmations/handlers.ts';
import { GrantBook } from '../policy/grants.ts';
import { keyPruner } from '../policy/key-pruner.ts';
import { ChangeFeed } from '../registry/change-feed.ts';
import { Directory } from '../registry/directory.ts';
import { registryHandlers } from '../registry/handlers.ts';
import { keepers } from '../registry/keepers.ts';
import type { RegistryPorts } from '../registry/ports.ts';
import { noteSeen, noteUnconnected, registryService } from '../registry/registry.ts';
import { Scores } from '../registry/scores.ts';
import { refresh } from '../registry/sync.ts';
import { TrendBook } from '../registry/trend.ts';
import { Board } from '../resilience/board.ts';
import { Circuits } from '../resilience/circuits.ts';
import { calibrationHere } from '../routing/by-meaning.ts';
import { lintOffers } from '../routing/lint-offers.ts';
import { imbalanceWatch } from '../routing/imbalance-watch.ts';
import { type PolicyDocPorts, policyHandlers, policyService } from '../routing/policies.ts';
import type { Storage } from '../storage/spi/storage.ts';
import { taskHandlers } from '../tasks/handlers.ts';
import { inTwoStores } from '../tasks/two-stores.ts';
import { callsOf } from '../tasks/mail.ts';
import { openRoom, type TaskRoom } from '../tasks/room.ts';
import { type AgentAt, taskService } from '../tasks/service.ts';
import { KnownHeads } from '../telemetry/known-heads.ts';
import { telemetryHandlers } from '../telemetry/handlers.ts';
import { LiveWatch } from '../telemetry/live-watch.ts';
import { pruner } from '../telemetry/pruner.ts';
import { Recorder } from '../telemetry/recorder.ts';
import { sealer } from '../telemetry/sealer.ts';
import type { Config } from './config.ts';
import { asksWho, authPortsOf, entrance, knownBy, signingOf } from './entrance.ts';
import type { Ground } from './ground.ts';
import { guard, type GuardPorts } from './guard.ts';
import type { Intake } from './intake.ts';
import { ownership } from './ownership.ts';
import { policyKinds } from './policy-kinds.ts';
import { policyPortsOf, readersOf, routingOn } from './road-parts.ts';
import { StoreWatch } from './store-watch.ts';
import { Streams } from './streams.ts';
import { type HouseState, systemHandlers } from './system-handlers.ts';

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
  /** The token of the admin that this start made, because nobody could have come in. */
  firstToken(): string | undefined;
}

/** What the rooms share, and the ports of those two that others build on. */
function portsOf(ground: Ground) {
  const { config, storage, memory, fetch, clock, steady = clock, random, log } = ground;
  const { settings } = config;
  const ids: Ids = idsFrom(clock, random);
  const shared = storage.capabilities.sharedByProcesses;
  const now = () => (shared ? ('store' as const) : steady.now());
  const directory = new Directory(storage.epoch);
  const board = new Board(clock, new Circuits(clock, random, settings.breaker));
  const scores = scoresOf(ground, board);
  const recorder = new Recorder(storage.traces, clock, log);
  const self = { id: ids.next('gw'), name: ground.node, since: steady.now() };
  const peers = new Peers({ channel: storage.shared?.channel, self, clock, log });
  const comings = comingsOf(ground);
  const arrived = (at: AgentAt) => comings.arrivals.emit(at);
  const names = ownership(ground, { peers, now, directory, approved: arrived });
  const registry: RegistryPorts = {
    ...names.rules,
    lint: (at) => lintOffers(at, road.routing),
    directory,
    storage,
    board,
    scores,
    trend: new TrendBook(),
    ...keepers({ directory, scores, peers, clock: steady, random }, settings.registry),
    peers,
    fetch,
    clock: steady,
    random,
    log,
    now,
    options: settings.registry,
    arrived,
    changes: new ChangeFeed({ directory, clock, random, ids }),
    left: (at) => comings.departures.emit(at),
    callTimeoutMaxMs: settings.resilience.callTimeoutMaxMs,
  };
  const auth = authPortsOf(ground, { peers, now });
  const grants = new GrantBook();
  // The road leaves calls in a mailbox that stands above it: it is looked up when it is used.
  const mailbox: Link = (attempt) => mailboxLink(callsOf(tasks))(attempt);
  const road: RoadPorts = {
    policy: policyPortsOf(ground, { ids, now, grants, peers }),
    routing: routingOn(ground, { directory, board, scores, mayOffer: names.rules.mayOffer }),
    link: linkByMode(httpLink(fetch, signingOf(ground, auth)), mailbox),
    board,
    bulkhead: settings.bulkhead,
    recorder,
    watch: new LiveWatch(clock),
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
    seen: seenBy(registry),
  });
  const heads = new KnownHeads();
  const rooms = { directory, recorder, peers, registry, road, tasks, comings, now, heads };
  return { ...rooms, auth, grants, names };
}

function comingsOf({ log }: Ground): Comings {
  const missed = (error: unknown) => log.error({ err: error }, 'a coming or going was missed');
  return { arrivals: new Signal(missed), departures: new Signal(missed) };
}

function scoresOf({ config: { settings }, clock }: Ground, board: Board): Scores {
  const { probeIntervalMs, probeTimeoutMs } = settings.registry;
  return new Scores(clock, board, { probeIntervalMs, probeTimeoutMs, ...settings.bulkhead });
}

/** Takes a sign of life into account, behind the back of whoever gave it. */
function seenBy(registry: RegistryPorts): TaskRoom['seen'] {
  return (at) => {
    noteSeen(at, registry).catch((error: unknown) =>
      registry.log.error({ err: error, ...at }, 'a sign of life could not be noted'),
    );
  };
}

/** What the documents of operators work with. */
function documentsOf(ground: Ground, ports: Ports): PolicyDocPorts {
  const { directory, road, peers, auth, grants, names, now } = ports;
  const { clock, log, storage } = ground;
  const { weights, learned, pins, fits } = road.routing;
  const clients = auth.book;
  const { budgets, confirmations } = road.policy;
  const { book: owners } = names.claims;
  const isAuthRequired = asksWho(ground);
  const by = {
    weights,
    grants,
    budgets,
    confirmations,
    owners,
    learned,
    pins,
    fits,
    calibration: () => calibrationHere(road.routing),
    directory,
    clients,
    isAuthRequired,
  };
  const tenants = () => [...directory.tenants(), ...clients.tenants()];
  return { rules: storage.rules, kinds: policyKinds(by), tenants, peers, clock, now, log };
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

type Ports = ReturnType<typeof portsOf>;

/** Joins the rooms. The only place that knows every other one. */
export function compose(ground: Ground): House {
  const { config, storage, clock, log, node } = ground;
  const { settings } = config;
  const ports = portsOf(ground);
  const { directory, recorder, peers, registry, road, tasks } = ports;
  let state: HouseState = 'starting';
  const watch = new StoreWatch({ storage, clock, log });
  const way = entrance(ground, ports.auth);
  const documents = documentsOf(ground, ports);
  const handlers: Handlers = {
    ...registryHandlers(registry),
    ...routeHandlers(road, documents, knownBy(ground, ports)),
    ...policyHandlers(documents),
    ...budgetHandlers(road.policy),
    ...clientHandlers(ports.auth),
    ...confirmationHandlers(road.policy),
    ...capabilityHandlers(ports.names.claims),
    ...callHandlers(road),
    ...taskHandlers(tasks),
    ...telemetryHandlers({
      ...auditPortsOf(ground),
      heads: ports.heads,
      recorder,
      auditRetentionMs: settings.telemetry.auditRetentionMs,
    }),
    ...systemHandlers({
      config,
      directory,
      peers,
      clock,
      driver: storage.driver,
      embedder: () => road.routing.embedding?.state.is,
      node,
      registry,
      state: () => (state === 'ok' && watch.isFailing ? 'failing' : state),
    }),
  };
  const http: HttpPorts = {
    dispatch: guard(guardPortsOf(ground, ports, { handlers, way })),
    clock,
    random: ground.random,
    log,
    listeners: listenersOf(config),
    tls: ground.tls,
    hasIssuer: asksWho(ground) && settings.oidc.issuer !== '',
    ...settings.http,
  };
  const door = httpDoor(http);
  const rooms = roomsOf(ground, ports, { watch, way, documents, door });
  return {
    door,
    http,
    handlers,
    firstToken: () => way.token(),
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

function guardPortsOf(
  ground: Ground,
  { recorder, road }: Ports,
  { handlers, way }: { handlers: Handlers; way: ReturnType<typeof entrance> },
): GuardPorts {
  const { clock, log, config } = ground;
  return {
    handlers,
    authenticate: way.authenticate,
    authenticateAgain: way.again,
    recorder,
    clock,
    log,
    intake: intakeOf(ground, road.policy),
    streams: new Streams(clock, config.settings.limits.tenantStreams),
  };
}

/** All that runs, in the order in which it starts; it stops the other way round. */
function roomsOf(
  ground: Ground,
  { recorder, peers, registry, road, tasks, comings, now, heads }: Ports,
  made: {
    watch: StoreWatch;
    way: ReturnType<typeof entrance>;
    documents: PolicyDocPorts;
    door: HttpDoor;
  },
): Service {
  const { config, storage, clock, log, door: hasDoor, keepSeal: keepOutside } = ground;
  const { telemetry: options } = config.settings;
  return inOrder([
    recorder,
    made.watch,
    // Before anything is loaded: what changes from then on is heard.
    peers,
    pruner({ store: storage.traces, clock, log, options }),
    sealer({ ...auditPortsOf(ground), heads, keepOutside, log, options }),
    keyPruner({ ledger: storage.ledger, clock, log, now }),
    registry.changes,
    registryService(registry),
    // Before the documents: whose they are is known by the clients.
    ...made.way.services,
    policyService(made.documents),
    ...readersOf(road.routing, { clock, log }),
    imbalanceWatch({ routing: road.routing, clock, log, waitingOf: waitingIn(storage) }),
    ...(hasDoor === false ? [] : [made.door]),
    // Last, so that it stops first: nobody waits for work behind a door that closes.
    taskService(tasks, comings),
  ]);
}

/** With what the audit is sealed and verified: the key of the vault, where this store has one. */
function auditPortsOf({ config, storage, vault, clock }: Ground) {
  const hasKey = config.settings.house.kekFile !== '' || !storage.capabilities.sharedByProcesses;
  const key = hasKey ? async () => (await vault()).subkey('audit-seal') : undefined;
  return { store: storage.traces, key, clock };
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
