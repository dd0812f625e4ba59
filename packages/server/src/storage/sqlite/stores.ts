import type { Clock, Log } from '@agent-reach/core/kernel';
import type { AgentsStore } from '../spi/agents.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { ConfirmationMoves } from '../spi/confirmations.ts';
import type { Now } from '../spi/now.ts';
import type { RulesStore } from '../spi/rules.ts';
import type { Storage } from '../spi/storage.ts';
import type { TasksStore } from '../spi/tasks.ts';
import type { TracesStore } from '../spi/traces.ts';
import { answerOf } from './answer.ts';
import type { Database } from './database.ts';
import type { Host } from './host.ts';
import {
  type InputOf,
  type OutputOf,
  perform,
  type ReadName,
  type SearchName,
} from './operations.ts';
import { outcomeOf } from './outcome.ts';
import type { MoveQueue } from './queue.ts';
import { Counters } from './spend.ts';

/** What the methods of the stores are made of. */
export interface Engine {
  queue: MoveQueue;
  host: Host;
  /** Of the calling thread. */
  db: Database;
  clock: Clock;
  log: Log;
}

/** The methods of the SPI, each bound to its operation by name. */
export function storesOn(
  engine: Engine,
): Pick<Storage, 'agents' | 'tasks' | 'ledger' | 'traces' | 'rules'> {
  return {
    agents: agentsOn(engine),
    tasks: tasksOn(engine),
    ledger: ledgerOn(engine),
    traces: tracesOn(engine),
    rules: rulesOn(engine),
  };
}

function agentsOn(engine: Engine): AgentsStore {
  const { queue } = engine;
  return {
    load: () => read(engine, 'agents.load', undefined),
    find: (query) => read(engine, 'agents.find', query),
    survey: () => read(engine, 'agents.survey', undefined),
    define: (move) => queue.move('agents.define', timed(engine, move)),
    join: (move) => queue.move('agents.join', timed(engine, move)),
    renew: (move) => queue.move('agents.renew', timed(engine, move)),
    setIntent: (move) => queue.move('agents.setIntent', timed(engine, move)),
    leave: (move) => queue.move('agents.leave', move),
    remove: (move) => queue.move('agents.remove', move),
    versions: (query) => read(engine, 'agents.versions', query),
    sweep: (move) => queue.move('agents.sweep', timed(engine, move)),
  };
}

function tasksOn(engine: Engine): TasksStore {
  const { queue } = engine;
  return {
    submit: (move) => queue.move('tasks.submit', timed(engine, move)),
    claim: (move) => queue.move('tasks.claim', timed(engine, move)),
    ack: (move) => queue.move('tasks.ack', timed(engine, move)),
    extend: (move) => queue.move('tasks.extend', timed(engine, move)),
    progress: (move) => queue.move('tasks.progress', timed(engine, move)),
    settle: (move) => queue.move('tasks.settle', timed(engine, move)),
    expire: (move) => queue.move('tasks.expire', timed(engine, move)),
    tick: (move) => queue.move('tasks.tick', timed(engine, move)),
    grace: (move) => queue.move('tasks.grace', timed(engine, move)),
    bind: (move) => queue.move('tasks.bind', timed(engine, move)),
    cancel: (move) => queue.move('tasks.cancel', timed(engine, move)),
    kill: (move) => queue.move('tasks.kill', timed(engine, move)),
    edit: (move) => queue.move('tasks.edit', timed(engine, move)),
    skip: (move) => queue.move('tasks.skip', timed(engine, move)),
    hasten: (move) => queue.move('tasks.hasten', timed(engine, move)),
    redrive: (move) => queue.move('tasks.redrive', timed(engine, move)),
    get: (query) => read(engine, 'tasks.get', query),
    list: (query) => search(engine, 'tasks.list', query),
    history: (query) => read(engine, 'tasks.history', query),
    orphans: (query) => read(engine, 'tasks.orphans', query),
    edits: (query) => read(engine, 'tasks.edits', query),
    ahead: (query) => read(engine, 'tasks.ahead', query),
    chainHead: (query) => read(engine, 'tasks.chainHead', query),
    counts: (query) => search(engine, 'tasks.counts', query),
    prune: (move) => queue.move('tasks.prune', timed(engine, move)),
  };
}

function ledgerOn(engine: Engine): LedgerStore {
  const { queue } = engine;
  const counters = new Counters(engine.log);
  return {
    lookup: (query) => read(engine, 'ledger.lookup', timed(engine, query)),
    claim: (move) => queue.move('ledger.claim', timed(engine, move)),
    extend: (move) => queue.move('ledger.extend', timed(engine, move)),
    settle: (move) => queue.move('ledger.settle', timed(engine, move)),
    spend: async (move) => counters.spend(timed(engine, move)),
    pace: async (move) => counters.pace(timed(engine, move)),
    prune: (move) => queue.move('ledger.prune', timed(engine, move)),
    reserve: (move) => queue.move('ledger.reserve', timed(engine, move)),
    charge: (move) => queue.move('ledger.charge', move),
    budgets: (query) => read(engine, 'ledger.budgets', timed(engine, query)),
    ...confirmationsOn(engine),
  };
}

function confirmationsOn(engine: Engine): ConfirmationMoves {
  const { queue } = engine;
  return {
    openConfirmation: (move) => queue.move('ledger.openConfirmation', timed(engine, move)),
    findConfirmation: (query) => read(engine, 'ledger.findConfirmation', timed(engine, query)),
    decideConfirmation: (move) => queue.move('ledger.decideConfirmation', timed(engine, move)),
    consumeConfirmation: (move) => queue.move('ledger.consumeConfirmation', timed(engine, move)),
    listConfirmations: (query) => read(engine, 'ledger.listConfirmations', timed(engine, query)),
    pruneConfirmations: (move) => queue.move('ledger.pruneConfirmations', timed(engine, move)),
  };
}

function tracesOn(engine: Engine): TracesStore {
  const { queue } = engine;
  return {
    append: (records) => queue.keepHops(records),
    appendAudit: (records) => queue.moveSoon('traces.appendAudit', records),
    find: (query) => search(engine, 'traces.find', query),
    findAudit: (query) => search(engine, 'traces.findAudit', query),
    auditChains: (query) => search(engine, 'traces.auditChains', query),
    auditChain: (query) => search(engine, 'traces.auditChain', query),
    auditLinks: (query) => search(engine, 'traces.auditLinks', query),
    auditSeals: (query) => search(engine, 'traces.auditSeals', query),
    keepSeal: (seal) => queue.moveSoon('traces.keepSeal', seal),
    prune: (move) => queue.move('traces.prune', move),
  };
}

function rulesOn(engine: Engine): RulesStore {
  return {
    get: (query) => read(engine, 'rules.get', query),
    put: (move) => engine.queue.move('rules.put', timed(engine, move)),
    list: (query) => read(engine, 'rules.list', query),
    history: (query) => read(engine, 'rules.history', query),
  };
}

/**
 * On the calling thread: a few rows by their key cost less than a message to another thread. The
 * connection sees what has been committed, thus everything that was answered.
 */
async function read<Name extends ReadName>(
  engine: Engine,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return answerOf(outcomeOf(() => perform(engine.db, { name, input }))) as OutputOf<Name>;
}

/** After what lingers has been written: who looks for the trace of a call that just ended finds it. */
async function search<Name extends SearchName>(
  engine: Engine,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  await engine.queue.flush();
  return answerOf(await engine.host.search({ name, input })) as OutputOf<Name>;
}

/** One process, so the kernel's clock is the store's own. */
function timed<Move extends { now: Now }>(
  engine: Engine,
  move: Move,
): Omit<Move, 'now'> & { now: number } {
  return { ...move, now: move.now === 'store' ? engine.clock.now() : move.now };
}
