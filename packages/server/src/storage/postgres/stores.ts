import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import type { AgentsStore } from '../spi/agents.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { RulesStore } from '../spi/rules.ts';
import type { Storage } from '../spi/storage.ts';
import type { TasksStore } from '../spi/tasks.ts';
import type { TracesStore } from '../spi/traces.ts';
import * as agents from './agents.ts';
import * as audit from './audit.ts';
import * as budgets from './budgets.ts';
import * as confirmations from './confirmations.ts';
import type { Connections } from './connections.ts';
import { Gathering } from './gathering.ts';
import * as instances from './instances.ts';
import * as ledger from './ledger.ts';
import * as rules from './rules.ts';
import type { Purpose } from './settings.ts';
import { pace, spend } from './spend.ts';
import { bind } from './tasks/bind.ts';
import { cancel } from './tasks/cancel.ts';
import * as desk from './tasks/desk.ts';
import * as expiry from './tasks/expire.ts';
import { extend } from './tasks/extend.ts';
import { list } from './tasks/list.ts';
import { prune } from './tasks/prune.ts';
import * as reads from './tasks/read.ts';
import { tick } from './tasks/tick.ts';
import { type TravellingTasks, travelsOn } from './travels.ts';
import * as traces from './traces.ts';
import type { Transaction } from './transaction.ts';

type Stores = Pick<Storage, 'agents' | 'tasks' | 'ledger' | 'traces' | 'rules'>;

/** The methods of the SPI, each bound to its operation. `flush` resolves once nothing lingers. */
export function storesOn(
  connections: Connections,
  house: House,
): { stores: Stores; flush: () => Promise<void> } {
  const bound: Bind = (operation, purpose) => (move) =>
    connections.run((tx) => operation(tx, move), purpose);
  const { store, flush } = tracesOn(connections, bound, house);
  const travels = travelsOn(connections, house);
  return {
    stores: {
      agents: agentsOn(bound),
      tasks: { ...tasksOn(bound), ...travels.tasks },
      ledger: ledgerOn(bound),
      traces: store,
      rules: rulesOn(bound),
    },
    flush: async () => {
      await Promise.all([flush(), travels.flush()]);
    },
  };
}

/** What stores need of the house. */
export interface House {
  clock: Clock;
  log: Log;
  /** How long a move may take. */
  timeoutMs: number;
}

/** Makes a method of an operation. */
type Bind = <Move, Answer>(
  operation: (tx: Transaction, move: Move) => Promise<Answer>,
  purpose?: Purpose,
) => (move: Move) => Promise<Answer>;

function agentsOn(bound: Bind): AgentsStore {
  const load = bound(agents.load, 'search');
  const survey = bound(agents.survey, 'search');
  return {
    load: () => load(undefined),
    find: bound(agents.findAgent, 'read'),
    survey: () => survey(undefined),
    define: bound(agents.define),
    join: bound(instances.join),
    renew: bound(instances.renew),
    setIntent: bound(instances.setIntent),
    leave: bound(instances.leave),
    remove: bound(agents.remove),
    versions: bound(agents.versions, 'read'),
    sweep: bound(instances.sweep),
  };
}

function tasksOn(bound: Bind): Omit<TasksStore, keyof TravellingTasks> {
  return {
    extend: bound(extend),
    expire: bound(expiry.expire),
    tick: bound(tick),
    grace: bound(expiry.grace),
    bind: bound(bind),
    cancel: bound(cancel),
    kill: bound(desk.kill),
    edit: bound(desk.edit),
    skip: bound(desk.skip),
    hasten: bound(desk.hasten),
    redrive: bound(desk.redrive),
    get: bound(reads.getTask, 'read'),
    list: bound(list, 'search'),
    history: bound(reads.taskHistory, 'read'),
    orphans: bound(reads.taskOrphans, 'read'),
    edits: bound(reads.taskEdits, 'read'),
    ahead: bound(reads.ahead, 'read'),
    chainHead: bound(reads.chainHead, 'read'),
    counts: bound(reads.counts, 'read'),
    prune: bound(prune),
  };
}

function ledgerOn(bound: Bind): LedgerStore {
  return {
    lookup: bound(ledger.lookup, 'read'),
    claim: bound(ledger.claim),
    extend: bound(ledger.extend),
    settle: bound(ledger.settle),
    spend: bound(spend),
    pace: bound(pace),
    prune: bound((tx, move: Parameters<LedgerStore['prune']>[0]) => {
      budgets.pruneBudgets(tx, move);
      return ledger.pruneKeys(tx, move);
    }),
    reserve: bound(budgets.reserve),
    charge: bound(budgets.charge),
    budgets: bound(budgets.budgets, 'read'),
    openConfirmation: bound(confirmations.openConfirmation),
    findConfirmation: bound(confirmations.findConfirmation, 'read'),
    decideConfirmation: bound(confirmations.decideConfirmation),
    consumeConfirmation: bound(confirmations.consumeConfirmation),
    listConfirmations: bound(confirmations.listConfirmations, 'read'),
    pruneConfirmations: bound(confirmations.pruneConfirmations),
  };
}

function tracesOn(connections: Connections, bound: Bind, { clock, log }: House) {
  const hops = new Gathering<TraceRecord>({
    clock,
    keep: (rows) => connections.run((tx) => traces.keepHops(tx, rows)),
    whenFull: 'drop-oldest',
  });
  const lines = new Gathering<AuditRecord>({
    clock,
    keep: (rows) => connections.run((tx) => audit.keepLines(tx, rows)),
    whenFull: 'refuse',
  });
  const flush = async () => {
    await Promise.all([hops.flush(), lines.flush()]);
  };
  // Who looks for the trace of a call that just ended finds it.
  const search =
    <Query, Answer>(find: (query: Query) => Promise<Answer>) =>
    async (query: Query) => {
      await flush();
      return find(query);
    };
  const told = { loss: false };
  const store: TracesStore = {
    // Nobody waits for a trace, and a failure that nobody catches would end the process.
    append: (records) => hops.add(records).catch((error: unknown) => tellLoss(log, told, error)),
    appendAudit: (records) => lines.add(records),
    find: search(bound(traces.find, 'search')),
    findAudit: search(bound(audit.findAudit, 'search')),
    auditChains: search(bound(audit.auditChains, 'search')),
    auditChain: search(bound(audit.auditChain, 'read')),
    auditLinks: search(bound(audit.auditLinks, 'search')),
    auditSeals: search(bound(audit.auditSeals, 'search')),
    keepSeal: bound(audit.keepSeal),
    prune: bound(traces.pruneTraces),
  };
  return { store, flush };
}

function tellLoss(log: Log, told: { loss: boolean }, error: unknown): void {
  if (told.loss) return;
  told.loss = true;
  log.warn({ err: error }, 'Hops of traces are being lost; said once.');
}

function rulesOn(bound: Bind): RulesStore {
  return {
    get: bound(rules.getRule, 'read'),
    put: bound(rules.putRule),
    list: bound(rules.listRules, 'read'),
    history: bound(rules.ruleHistory, 'read'),
  };
}
