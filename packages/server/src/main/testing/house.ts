import { readFile } from 'node:fs/promises';
import {
  type Answer,
  ERRORS,
  type ErrorCode,
  fromProblem,
  type HandlersOf,
  ReachError,
} from '@agent-reach/core';
import {
  type Log,
  type Random,
  seededRandom,
  silentLog,
  steadyClock,
} from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { buildServer } from '../../ingress/http/server.ts';
import { Bus } from '../../peers/testing/bus.ts';
import type { Channel } from '../../storage/spi/shared.ts';
import type { Storage } from '../../storage/spi/storage.ts';
import { openSqlite } from '../../storage/sqlite/open.ts';
import { compose, type House } from '../compose.ts';
import { type Config, loadConfig } from '../config.ts';
import { loadTokenKey } from '../token-key.ts';
import { vaultOf } from '../vault.ts';
import type { Ground } from '../ground.ts';
import { json, type Machine, Network } from './network.ts';

/** A whole gateway in memory: real rooms, a clock and a network that the test owns. */
export interface TestHouse extends AsyncDisposable {
  clock: ManualClock;
  network: Network;
  /** What this gateway meets in the place of a host, by its origin; undefined: nobody listens. */
  way: Map<string, Machine | undefined>;
  /** How late the process is with its work. */
  load: { delayMs: number };
  storage: Storage;
  house: House;
  http: ReturnType<typeof buildServer>;
  /** The handlers of tasks, for what no door shows. */
  tasks: HandlersOf<'tasks'>;
  /** Registers an agent at `http://<name>:80` that answers with `machine`, and lets it be probed. */
  agent(name: string, capability: Record<string, unknown>, machine: Machine): Promise<void>;
  /** Registers an agent that comes for its work, as instance `<name>-1` unless told otherwise. */
  puller(name: string, capability: Record<string, unknown>, instanceId?: string): Promise<void>;
  /** Any request through the HTTP door: its status and `data`; throws a problem. */
  ask<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
  ): Promise<T>;
  /** Sends a request through the HTTP door; resolves with the answer or throws its problem. */
  call(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  /** A second house on the same store and network, as after a restart. Stop the first one before. */
  again(): Promise<TestHouse>;
  /** A second house on the same store and network, while the first one runs: of `openShared` alone. */
  beside(): Promise<TestHouse>;
  /** To the other houses on its store. */
  line: Channel;
  /** Waits for `work` while moving time in small steps. */
  during<T>(work: Promise<T>, forMs: number): Promise<T>;
}

/** What a house stands on, and what outlives it. */
interface Site {
  clock: ManualClock;
  random: Random;
  network: Network;
  storage: Storage;
  config: Config;
  log: Log;
  vault: Ground['vault'];
  /** Joins houses that run at once; absent: one at a time. */
  bus?: Bus | undefined;
  embedder?: Ground['embedder'];
}

/** Opens a house. `flags` are options by their dotted keys. */
export async function openHouse(
  flags: Record<string, unknown> = {},
  log: Log = silentLog,
  embedder?: Ground['embedder'],
): Promise<TestHouse> {
  return open(flags, log, { embedder });
}

/** Opens a house on a store that others may share, on a line that the test may cut. */
export async function openShared(
  bus: Bus,
  flags: Record<string, unknown> = {},
): Promise<TestHouse> {
  return open(flags, silentLog, { bus });
}

async function open(
  flags: Record<string, unknown>,
  log: Log,
  more: Pick<Site, 'bus' | 'embedder'>,
): Promise<TestHouse> {
  const clock = new ManualClock();
  const random = seededRandom(7);
  const storage = await openSqlite({ dir: ':memory:', clock, random, log: silentLog });
  const config = loadConfig({
    cwd: '/nonexistent',
    env: {},
    flags: { 'listen.business.port': 0, 'listen.agents.port': 'off', ...flags },
  });
  const vault = vaultOf({ kekFile: '', dataDir: ':memory:', isShared: false }, random);
  const site: Site = { clock, random, network: new Network(clock), storage, config, log, vault };
  return buildOn({ ...site, ...more }, () => storage.close());
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function buildOn(site: Site, leave: () => Promise<void>): Promise<TestHouse> {
  const { clock, random, network, config, log, bus = new Bus() } = site;
  const line = bus.channel();
  const storage = site.bus === undefined ? site.storage : sharedBy(site.storage, line, clock);
  // A new one for each house: it is lost with its process.
  const memory = await openSqlite({ dir: ':memory:', clock, random, log: silentLog });
  const load = { delayMs: 0 };
  const way = new Map<string, Machine | undefined>();
  const house = compose({
    config,
    loopDelay: { p99Ms: () => load.delayMs },
    embedder: site.embedder,
    storage,
    memory: site.bus === undefined ? memory : undefined,
    fetch: network.fetchBy(way),
    readText: (path) => readFile(path, 'utf8'),
    tokenKey: await loadTokenKey(storage.rules, random, clock.now()),
    vault: site.vault,
    clock,
    steady: steadyBy(clock),
    random,
    log,
    node: 'test',
    door: false,
  });
  await during(clock, house.start(), 1_000);
  const http = buildServer(house.http);
  const send = senderTo(http);
  const post = (url: string, body: unknown, headers?: Record<string, string>) => {
    return send('POST', url, body, headers);
  };
  return {
    clock,
    network,
    way,
    load,
    storage,
    house,
    http,
    tasks: house.handlers,
    call: (body, headers) => post('/v1/calls', body, headers) as Promise<Answer>,
    async agent(name, capability, machine) {
      network.at(`http://${name}`, (request) =>
        request.method === 'GET' ? json(200, { agent_id: name }) : machine(request),
      );
      const address = { base_url: `http://${name}` };
      await post('/v1/agents', { name, capabilities: [capability], network: address });
    },
    async puller(name, capability, instanceId = `${name}-1`) {
      const instance = { pull: true, instance_id: instanceId };
      await post('/v1/agents', { name, capabilities: [capability], instance });
    },
    async ask<T>(method: Method, url: string, body?: unknown): Promise<T> {
      if (method === 'POST' || method === 'PUT') return (await send(method, url, body ?? {})) as T;
      return unwrap((await http.inject({ method, url })).json()) as T;
    },
    again: () => buildOn(site, async () => {}),
    beside: () => buildOn(site, async () => {}),
    line,
    during: (work, forMs) => during(clock, work, forMs),
    async [Symbol.asyncDispose]() {
      await http.close();
      await house.stop();
      await memory.close();
      await leave();
    },
  };
}

function steadyBy(clock: ManualClock) {
  return steadyClock({ clock, uptime: () => clock.monotonic() / 1_000, onStep: () => {} });
}

/** The store as one of several processes has it. */
function sharedBy(storage: Storage, channel: Channel, clock: ManualClock): Storage {
  return {
    ...storage,
    capabilities: { ...storage.capabilities, sharedByProcesses: true },
    shared: { channel, time: async () => clock.now() },
  };
}

/** Sends a body through the door; answers its `data` or throws its problem. */
function senderTo(http: TestHouse['http']) {
  return async (
    method: 'POST' | 'PUT',
    url: string,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await http.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
    return unwrap(response.json());
  };
}

async function during<T>(clock: ManualClock, work: Promise<T>, forMs: number): Promise<T> {
  const state = { over: false };
  const done = work.finally(() => {
    state.over = true;
  });
  done.catch(() => {}); // It is awaited below; until then nobody may call it unhandled.
  for (let passed = 0; passed < forMs && !state.over; passed += 50) await clock.advance(50);
  return done;
}

function unwrap(body: { code?: unknown; data?: unknown }): unknown {
  if (body.code === 0) return body.data;
  throw fromProblem(body) ?? new Error(`neither answer nor problem: ${JSON.stringify(body)}`);
}

/** For `assert.rejects`: a ReachError of this code, with its right status. */
export function failsWith(code: ErrorCode, check: (error: ReachError) => void = () => {}) {
  return (error: unknown) => {
    if (!ReachError.is(error)) throw error;
    if (error.code !== code)
      throw new Error(`expected ${code}, got ${error.code}: ${error.message}`);
    if (error.status !== ERRORS[code].http) throw new Error(`status ${error.status}`);
    check(error);
    return true;
  };
}
