import * as agents from './agents.ts';
import * as audit from './audit.ts';
import * as budgets from './budgets.ts';
import * as confirmations from './confirmations.ts';
import type { Database } from './database.ts';
import * as instances from './instances.ts';
import * as ledger from './ledger.ts';
import * as rules from './rules.ts';
import { bind } from './tasks/bind.ts';
import { cancel } from './tasks/cancel.ts';
import { claim } from './tasks/claim.ts';
import * as desk from './tasks/desk.ts';
import * as expiry from './tasks/expire.ts';
import * as hold from './tasks/hold.ts';
import { list } from './tasks/list.ts';
import { prune } from './tasks/prune.ts';
import * as taskReads from './tasks/read.ts';
import { settle } from './tasks/settle.ts';
import { submit } from './tasks/submit.ts';
import { tick } from './tasks/tick.ts';
import * as traces from './traces.ts';

/**
 * Every operation that writes, by the name under which it crosses to the writing thread. A new
 * store adds its moves here and its methods in `stores.ts`.
 */
export const MOVES = {
  'agents.define': agents.define,
  'agents.join': instances.join,
  'agents.renew': instances.renew,
  'agents.setIntent': instances.setIntent,
  'agents.leave': instances.leave,
  'agents.remove': agents.remove,
  'agents.sweep': instances.sweep,
  'ledger.claim': ledger.claim,
  'ledger.extend': ledger.extend,
  'ledger.settle': ledger.settle,
  'ledger.prune': ledger.pruneKeys,
  'ledger.reserve': budgets.reserve,
  'ledger.charge': budgets.charge,
  'ledger.openConfirmation': confirmations.openConfirmation,
  'ledger.decideConfirmation': confirmations.decideConfirmation,
  'ledger.consumeConfirmation': confirmations.consumeConfirmation,
  'ledger.pruneConfirmations': confirmations.pruneConfirmations,
  'rules.put': rules.putRule,
  'tasks.submit': submit,
  'tasks.claim': claim,
  'tasks.ack': hold.ack,
  'tasks.extend': hold.extend,
  'tasks.progress': hold.progress,
  'tasks.settle': settle,
  'tasks.expire': expiry.expire,
  'tasks.tick': tick,
  'tasks.grace': expiry.grace,
  'tasks.bind': bind,
  'tasks.cancel': cancel,
  'tasks.kill': desk.kill,
  'tasks.edit': desk.edit,
  'tasks.skip': desk.skip,
  'tasks.hasten': desk.hasten,
  'tasks.redrive': desk.redrive,
  'tasks.prune': prune,
  'traces.append': traces.append,
  'traces.appendAudit': audit.appendAudit,
  'traces.keepSeal': audit.keepSeal,
  'traces.prune': traces.pruneTraces,
} as const;

/** Reads of a few rows by their key: done where they are asked. */
export const READS = {
  'agents.load': agents.load,
  'agents.find': agents.findAgent,
  'agents.survey': agents.survey,
  'agents.versions': agents.versions,
  'ledger.lookup': ledger.lookup,
  'ledger.budgets': budgets.budgets,
  'ledger.findConfirmation': confirmations.findConfirmation,
  'ledger.listConfirmations': confirmations.listConfirmations,
  'rules.get': rules.getRule,
  'rules.list': rules.listRules,
  'rules.history': rules.ruleHistory,
  'tasks.get': taskReads.getTask,
  'tasks.history': taskReads.taskHistory,
  'tasks.orphans': taskReads.taskOrphans,
  'tasks.edits': taskReads.taskEdits,
  'tasks.ahead': taskReads.ahead,
  'tasks.chainHead': taskReads.chainHead,
} as const;

/** Reads that may walk through a whole table: done where nobody waits for anything else. */
export const SEARCHES = {
  'tasks.list': list,
  'tasks.counts': taskReads.counts,
  'traces.find': traces.find,
  'traces.findAudit': audit.findAudit,
  'traces.auditChains': audit.auditChains,
  'traces.auditChain': audit.auditChain,
  'traces.auditLinks': audit.auditLinks,
  'traces.auditSeals': audit.auditSeals,
} as const;

const ALL = { ...MOVES, ...READS, ...SEARCHES };

/** The operations of a table of them. */
export type Table = typeof ALL;
export type OperationName = keyof Table;
export type MoveName = keyof typeof MOVES;
export type ReadName = keyof typeof READS;
export type SearchName = keyof typeof SEARCHES;

/** What an operation is given, and what it answers. */
export type InputOf<Name extends OperationName> = Parameters<Table[Name]>[1];
export type OutputOf<Name extends OperationName> = ReturnType<Table[Name]>;

/** One operation asked for. Plain data: it crosses threads. */
export interface Request {
  name: OperationName;
  input: unknown;
}

/** Runs one operation. That name and input belong together is the promise of the typed callers. */
export function perform(db: Database, request: Request): unknown {
  const operation = ALL[request.name] as (db: Database, input: unknown) => unknown;
  return operation(db, request.input);
}
