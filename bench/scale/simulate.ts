import assert from 'node:assert/strict';
import { type Asker, OPEN_TENANT } from '@agent-reach/core';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { loadConfig } from '@agent-reach/server';
import { compose, type House } from '@agent-reach/server/compose';
import { openSqlite } from '@agent-reach/server/sqlite';
import { Counts, counted } from './counts.ts';
import { capabilityOf, line, nameOf, network, type Storage, settle } from './fleet.ts';

/** What is simulated. */
export interface Case {
  agents: number;
  gateways: number;
  seed: number;
  /** Whether every agent gets a task now and then, which gives each a queue. */
  tasks: boolean;
}

/** What the control plane did in a second, all gateways together unless it says otherwise. */
export interface Figures extends Omit<Case, 'seed' | 'tasks'> {
  probes: number;
  moves: number;
  /** The most frequent moves of the store. */
  movesBy: Record<string, number>;
  rows: number;
  rowKb: number;
  messages: number;
  changesBy: Record<string, number>;
  /** What one gateway hears. */
  heardKb: number;
  tasks: number;
  /** Of one gateway, with every agent loaded. */
  heapMb: number;
  /** Processor time of this process for a simulated second of one gateway, its share of the store's. */
  cpuMs: number;
}

const STEP_MS = 100;
const HEARTBEAT_MS = 10_000;
/** Each agent gets a task in so long. */
const TASK_EVERY_MS = 100_000;
/** All is compared with the store every 20 s, so a look holds two comparisons of each gateway. */
const WARM_MS = 30_000;
const LOOK_MS = 40_000;

const gc = globalThis.gc ?? (() => {});

/**
 * Real gateways, without their doors, on one store in memory and a clock that is moved by hand: agents
 * beat at any of them, are probed, and get tasks. Counts are exact and the same for a seed.
 */
export async function simulate(one: Case): Promise<Figures> {
  const clock = new ManualClock();
  const storage = await openSqlite({
    dir: ':memory:',
    clock,
    random: seededRandom(one.seed),
    log: silentLog,
  });
  await settle(storage, one.agents);
  const counts = { store: new Counts(), line: new Counts(), net: new Counts() };
  gc();
  const heapBefore = process.memoryUsage().heapUsed;
  const houses = await openAll(one, storage, { clock, counts });
  gc();
  const heapMb = (process.memoryUsage().heapUsed - heapBefore) / one.gateways / 2 ** 20;
  const live = () => livingFleet(one, houses, clock, counts.store);

  const step = live();
  await step(WARM_MS);
  for (const each of Object.values(counts)) each.reset();
  const cpuBefore = process.cpuUsage();
  await step(LOOK_MS);
  const { user, system } = process.cpuUsage(cpuBefore);

  const figures = figuresOf(one, counts);
  const cpuMs = (user + system) / 1_000 / (LOOK_MS / 1_000) / one.gateways;
  await stopAll(houses, clock);
  await storage.close();
  return { ...figures, heapMb, cpuMs };
}

interface Instruments {
  clock: ManualClock;
  counts: { store: Counts; line: Counts; net: Counts };
}

async function openAll(
  { gateways, seed }: Case,
  storage: Storage,
  { clock, counts }: Instruments,
): Promise<House[]> {
  const open = line(counts.line);
  const houses: House[] = [];
  for (let n = 0; n < gateways; n++) {
    const random = seededRandom(seed + n + 1);
    const house = compose({
      config: loadConfig({ cwd: '/nonexistent', env: {}, flags: { 'listen.business.port': 0 } }),
      storage: {
        ...storage,
        agents: counted(storage.agents, 'agents', counts.store),
        tasks: counted(storage.tasks, 'tasks', counts.store),
        rules: counted(storage.rules, 'rules', counts.store),
        traces: counted(storage.traces, 'traces', counts.store),
        ledger: counted(storage.ledger, 'ledger', counts.store),
        capabilities: { ...storage.capabilities, sharedByProcesses: true },
        shared: { channel: open(), time: async () => clock.now() },
      },
      fetch: network(clock, random, counts.net),
      readText: async () => '',
      tokenKey: new Uint8Array(32),
      vault: async () => assert.fail('nobody has a secret here'),
      clock,
      random,
      log: silentLog,
      node: `gateway-${n}`,
      door: false,
    });
    await during(house.start(), clock);
    houses.push(house);
  }
  return houses;
}

/** Moves time on by so much while every agent beats, and gets tasks, at whatever gateway. */
function livingFleet(
  { agents, seed, tasks }: Case,
  houses: House[],
  clock: ManualClock,
  store: Counts,
) {
  const random = seededRandom(seed);
  let beats = 0;
  let submitted = 0;
  let step = 0;
  const anyHouse = () => houses[random.below(houses.length)]?.handlers;
  return async (forMs: number) => {
    for (let passed = 0; passed < forMs; passed += STEP_MS) {
      step += 1;
      const work: Promise<unknown>[] = [];
      for (; beats < (step * STEP_MS * agents) / HEARTBEAT_MS; beats++) {
        const name = nameOf(beats % agents);
        const beat = { agent_id: name, instance_id: `${name}-1`, seq: Math.floor(beats / agents) };
        work.push(Promise.resolve(anyHouse()?.['agents.heartbeat'](beat, askerOf(name))));
      }
      const due = tasks ? (step * STEP_MS * agents) / TASK_EVERY_MS : 0;
      for (; submitted < due; submitted++) {
        const task = {
          task_type: capabilityOf(submitted % agents),
          payload: { order_no: `ORD${submitted}` },
        };
        work.push(Promise.resolve(anyHouse()?.['tasks.submit'](task, askerOf('shop'))));
      }
      await during(Promise.all(work), clock);
      await clock.advance(STEP_MS);
      // What a move of the store holds up must not be counted in a later moment.
      while (store.underWay > 0) await settled();
    }
  };
}

function askerOf(principal: string): Asker {
  const { signal } = new AbortController();
  return { tenant: OPEN_TENANT, principal, peer: '10.0.0.2', headers: {}, signal };
}

/** Waits for what may need time to pass. */
export async function during<T>(work: Promise<T>, clock: ManualClock): Promise<T> {
  const state = { over: false };
  const done = work.finally(() => {
    state.over = true;
  });
  done.catch(() => {}); // Awaited below.
  await settled();
  while (!state.over) await clock.advance(10);
  return done;
}

async function stopAll(houses: House[], clock: ManualClock): Promise<void> {
  for (const house of houses) await during(house.stop(), clock);
}

function figuresOf({ agents, gateways }: Case, { store, line: told, net }: Instruments['counts']) {
  const seconds = LOOK_MS / 1_000;
  const messages = told.of('message') / seconds;
  const changes = [...told.calls].filter(([name]) => name.endsWith(' change'));
  return {
    agents,
    gateways,
    probes: net.of('probe') / seconds,
    moves: store.all / seconds,
    movesBy: Object.fromEntries([...store.calls].map(([name, n]) => [name, n / seconds])),
    rows: store.rows / seconds,
    rowKb: store.bytes / 1_024 / seconds,
    messages,
    changesBy: Object.fromEntries(
      changes.map(([name, n]) => [name.replace(' change', ''), n / seconds]),
    ),
    heardKb: told.bytes / 1_024 / seconds,
    tasks: net.of('work') / seconds,
  };
}
