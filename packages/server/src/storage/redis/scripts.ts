import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TASK_ENDS, TASK_LEASED, TASK_MOVES } from '@agent-reach/core/task-states';
import { FIXED, LINE, MOVING, PLACED } from './tasks/names.ts';

/** One atomic move, or one read, as the server keeps it. */
export interface Script {
  text: string;
  /** By which the server knows a text that it has seen. */
  sha: string;
  /** It changes nothing. */
  isRead: boolean;
}

/** A file beside this one, without its ending. */
export type ScriptName = (typeof FILES)[number];

/** All that a store may be asked to run. */
export type Scripts = Readonly<Record<ScriptName, Script>>;

const FILES = [
  'lua/open',
  'lua/relayout',
  'agents/define',
  'agents/find',
  'agents/join',
  'agents/leave',
  'agents/load',
  'agents/remove',
  'agents/renew',
  'agents/set-intent',
  'agents/survey',
  'agents/sweep',
  'agents/versions',
  'confirmations/consume',
  'confirmations/decide',
  'confirmations/find',
  'confirmations/list',
  'confirmations/open',
  'confirmations/prune',
  'ledger/budgets',
  'ledger/charge',
  'ledger/claim',
  'ledger/extend',
  'ledger/lookup',
  'ledger/pace',
  'ledger/prune',
  'ledger/reserve',
  'ledger/settle',
  'ledger/spend',
  'rules/history',
  'rules/list',
  'rules/put',
  'tasks/ack',
  'tasks/ahead',
  'tasks/bind',
  'tasks/cancel',
  'tasks/chain-head',
  'tasks/children',
  'tasks/claim',
  'tasks/due',
  'tasks/edit',
  'tasks/expire',
  'tasks/extend',
  'tasks/figures',
  'tasks/get',
  'tasks/grace',
  'tasks/hasten',
  'tasks/kill',
  'tasks/list',
  'tasks/overdue',
  'tasks/part',
  'tasks/progress',
  'tasks/prune',
  'tasks/prune-queues',
  'tasks/redrive',
  'tasks/settle',
  'tasks/skip',
  'tasks/submit',
  'traces/append',
  'traces/audit-append',
  'traces/audit-chain',
  'traces/audit-chains',
  'traces/audit-find',
  'traces/audit-forget',
  'traces/audit-links',
  'traces/audit-oldest',
  'traces/audit-seal',
  'traces/audit-seals',
  'traces/audit-unlist',
  'traces/find',
  'traces/first',
  'traces/forget',
  'traces/tenants',
] as const;

/** What the scripts of a folder begin with, after `lua/base` and `lua/later`. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  lua: [],
  agents: ['agents/agent'],
  confirmations: ['confirmations/confirmation'],
  ledger: ['ledger/key', 'ledger/budget'],
  rules: [],
  tasks: ['ledger/key', 'tasks/task', 'tasks/queue', 'tasks/move', 'tasks/hold', 'tasks/desk'],
  traces: ['traces/log'],
};

/** The text of a file of Lua, by its name without ending. */
export type Source = (name: string) => string;

/** As the files are. */
export const readSource: Source = (name) =>
  readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8');

/**
 * All scripts, each put together from its file, which is one move, what that builds on, and the loop
 * that performs as many of them as it is sent. A script's first line says what
 * the server may hold it to: `no-writes` for reads, `allow-oom` for moves that must go on when memory
 * is full, because they end work or make room; whatever takes in something new has neither.
 */
export function readScripts(source: Source = readSource): Scripts {
  const scripts = FILES.map((name) => [name, assemble(name, source)]);
  return Object.fromEntries(scripts) as Scripts;
}

function assemble(name: ScriptName, source: Source): Script {
  const own = source(name);
  const body = own.indexOf('\n') + 1;
  const flags = own.slice(0, body);
  const folder = name.slice(0, name.indexOf('/'));
  const base = ['lua/base', 'lua/later'].map(source);
  const libraries = [...base, machine(folder), ...(LIBRARIES[folder] ?? []).map(source)];
  const perform = ['local function perform()\n', own.slice(body), 'end\n'];
  const text = [flags, ...libraries, ...perform, source('lua/company')].join('');
  const sha = createHash('sha1').update(text).digest('hex');
  return { text, sha, isRead: flags.includes('no-writes') };
}

/**
 * What is written once in TypeScript, as Lua reads it: the rows of tasks, and the table of moves, one
 * text to look into, for a table would be built anew by every script that runs.
 */
function machine(folder: string): string {
  if (folder !== 'tasks') return '';
  const moves = TASK_MOVES.map(([from, cause, to]) => `|${from} ${cause}>${to}`);
  const among = (states: readonly string[]) => states.map((state) => `${state} = true`).join(', ');
  return [
    reader('newTask', FIXED, PLACED),
    reader('taskOf', FIXED, MOVING),
    reader('lineOf', LINE),
    writer('movingText', MOVING),
    writer('lineText', LINE),
    `local MOVES = '${moves.join('')}|'`,
    `local ENDS = { ${among(TASK_ENDS)} }`,
    `local LEASED = { ${among(TASK_LEASED)} }`,
    '',
  ].join('\n');
}

/**
 * A function of Lua that makes a row of lists of values. One constructor, whose table has its size at
 * once, takes half the time of a loop over names.
 */
function reader(name: string, ...lists: readonly (readonly string[])[]): string {
  const fields = lists.flatMap((names, list) =>
    names.map((field, n) => `${field} = list${list}[${n + 1}] or nil`),
  );
  const given = lists.map((_, list) => `list${list}`).join(', ');
  return `local function ${name}(${given}) return { ${fields.join(', ')} } end`;
}

/** The reverse: one that makes JSON of a row. A task's number is a text in Lua. */
function writer(name: string, names: readonly string[]): string {
  const texts = names.map((field) =>
    field === 'seq' ? 'row.seq' : `(row.${field} == nil and 'false' or JSON[row.${field}])`,
  );
  return `local function ${name}(row) return '[' .. ${texts.join(" .. ',' .. ")} .. ']' end`;
}
