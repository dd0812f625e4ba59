import { appendFile, readFile } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  type Fetch,
  inOrder,
  type Log,
  openLog,
  type Random,
  type Service,
  steadyClock,
  systemClock,
  systemLoopDelay,
  systemRandom,
} from '@agent-reach/core/kernel';
import { ReachError } from '@agent-reach/core';
import { parseEgressRules } from '../outbound/address-rules.ts';
import { openOutbound } from '../outbound/guarded-fetch.ts';
import { type EmbedderPorts, openEmbedder } from '../routing/embedders/open.ts';
import type { Calibration } from '../routing/meaning/calibrator.ts';
import { readCalibration } from '../routing/meaning/read-calibration.ts';
import type { Storage } from '../storage/spi/storage.ts';
import { openSqlite } from '../storage/sqlite/open.ts';
import { compose } from './compose.ts';
import { type Config, type ConfigSources, isLoopbackHost, loadConfig } from './config.ts';
import { openStorage } from './open-storage.ts';
import { storeClock } from './store-clock.ts';
import { loadTokenKey } from './token-key.ts';
import { openTls, type TlsPorts } from './tls.ts';
import { vaultOf } from './vault.ts';

/** A gateway that listens. */
export interface Gateway {
  /** URLs of the listeners: business first, then agents. */
  addresses: string[];
  config: Config;
  /** The engine that everything is kept in. */
  storage: string;
  /** The token of the first admin: shown once, by the start that made it. */
  firstToken: string | undefined;
  /** Lets what runs finish, then returns when nothing runs. Twice is fine. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway from its configuration. Throws a `ReachError` that says what to change when an
 * option is wrong, a port is taken or the data folder belongs to another process.
 */
export async function serve(sources: ConfigSources): Promise<Gateway> {
  const config = loadConfig(sources);
  const { house } = config.settings;
  const clock = systemClock;
  const random = systemRandom();
  const log = openLog(house.logLevel);
  for (const warning of config.warnings) log.warn({}, warning);

  const tls = await tlsIn(config, { readText, clock, log });
  const calibration = await calibrationIn(config);
  const storage = await openStorage(config.settings.storage, { clock, random, log });
  const { steady, wall, keeping } = await clocksOf(storage, { clock, log });
  // Where gateways share a store, a task must be where every one of them finds it.
  const memory = storage.capabilities.sharedByProcesses
    ? undefined
    : await openSqlite({ dir: ':memory:', clock, random, log });
  const outbound = outboundIn(config, clock);
  const tokenKey = await loadTokenKey(storage.rules, random, wall.now());
  const loopDelay = systemLoopDelay(clock);
  const embedder = openEmbedder(config.settings.embedder, embedderPorts(config, outbound.fetch));
  const rooms = compose({
    config,
    storage,
    memory,
    fetch: outbound.fetch,
    readText,
    tls: tls?.source,
    tokenKey,
    vault: vaultIn(config, storage, random),
    clock: wall,
    steady,
    random,
    log,
    loopDelay,
    embedder,
    calibration,
    node: house.nodeName || hostname(),
    keepSeal: sealFile(config.settings.telemetry.sealFile),
  });
  const ground: Service = {
    async start() {
      await keeping.start();
      await tls?.keeping.start();
    },
    async stop() {
      await tls?.keeping.stop();
      await loopDelay.stop();
      await keeping.stop();
      await outbound.close();
      await memory?.close();
      await storage.close();
    },
  };
  try {
    await ground.start();
    await rooms.start();
    await loopDelay.start();
  } catch (error) {
    await ground.stop();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    addresses: rooms.door.addresses(),
    config,
    storage: storage.driver,
    firstToken: rooms.firstToken(),
    stop: () => (stopping ??= rooms.stop().then(() => ground.stop())),
  };
}

/** The way out, to where the operator lets it lead. */
function outboundIn({ settings: { house, http, outbound } }: Config, clock: Clock) {
  const allowLoopback = http.host.every(isLoopbackHost);
  const rules = parseEgressRules({ allow: house.egressAllow, allowLoopback });
  return openOutbound({ ...outbound, clock, rules });
}

/** Undefined: the listeners speak without TLS. */
async function tlsIn({ settings }: Config, ports: TlsPorts) {
  const { tlsCert: cert, tlsKey: key } = settings.http;
  return cert === '' ? undefined : openTls({ cert, key }, ports);
}

/** Undefined: none is named. */
async function calibrationIn({ settings }: Config): Promise<Calibration | undefined> {
  const { semanticCalibration: path } = settings.routing;
  if (path === '') return undefined;
  const text = await readText(path).catch((error: unknown) => {
    const said = `routing.semantic.calibration names ${path}, which cannot be read.`;
    throw new ReachError('not-found', said, {}, error);
  });
  return readCalibration(text);
}

/** What an embedder may do: ask servers, read files, and keep some. */
function embedderPorts({ settings }: Config, fetch: Fetch): EmbedderPorts {
  const { dataDir } = settings.storage;
  return {
    fetch,
    readBytes: (path) => readFile(path),
    cacheFolder: dataDir === ':memory:' ? undefined : join(dataDir, 'models'),
  };
}

const readText = (path: string) => readFile(path, 'utf8');

/** What the secrets of clients are kept under: of this store's own making, or named. */
function vaultIn({ settings }: Config, { capabilities }: Storage, random: Random) {
  const { dataDir } = settings.storage;
  const { kekFile } = settings.house;
  return vaultOf({ kekFile, dataDir, isShared: capabilities.sharedByProcesses }, random);
}

/** Appends to the file that is named, which its owner alone may read; undefined: none is. */
function sealFile(path: string): ((line: string) => Promise<void>) | undefined {
  if (path === '') return undefined;
  return (line) => appendFile(path, line, { mode: 0o600, flush: true });
}

/** The clock by which moments in the store are read, and the one that is compared with others. */
async function clocksOf(
  { shared }: Storage,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ steady: Clock; wall: Clock; keeping: Service }> {
  if (shared !== undefined) {
    const kept = await storeClock(() => shared.time(), { clock, log });
    return { steady: kept.clock, wall: kept.clock, keeping: kept.service };
  }
  const onStep = (byMs: number) =>
    log.warn({ byMs }, 'the wall clock was set; times are kept as if it were not');
  return { steady: steadyClock({ clock, uptime, onStep }), wall: clock, keeping: inOrder([]) };
}
