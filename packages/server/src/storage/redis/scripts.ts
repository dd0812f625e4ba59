import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TASK_ENDS, TASK_LEASED, TASK_MOVES } from '@agent-reach/core/task-states';

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
  'ledger/claim',
  'ledger/extend',
  'ledger/lookup',
  'ledger/prune',
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
  'traces/find',
  'traces/first',
  'traces/forget',
  'traces/tenants',
] as const;

/** What the scripts of a folder begin with, after `lua/base`. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  lua: [],
  agents: ['agents/agent'],
  ledger: ['ledger/key'],
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
 * All scripts, each put together from its file and what it builds on. A script's first line says what
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
  const libraries = ['lua/base', ...(LIBRARIES[folder] ?? [])].map(source);
  const text = [flags, machine(folder), ...libraries, own.slice(body)].join('');
  const sha = createHash('sha1').update(text).digest('hex');
  return { text, sha, isRead: flags.includes('no-writes') };
}

/**
 * The table of moves, written once in core, as Lua reads it: one text to look into, for a table would
 * be built anew by every script that runs.
 */
function machine(folder: string): string {
  if (folder !== 'tasks') return '';
  const moves = TASK_MOVES.map(([from, cause, to]) => `|${from} ${cause}>${to}`);
  const among = (states: readonly string[]) => states.map((state) => `${state} = true`).join(', ');
  return [
    `local MOVES = '${moves.join('')}|'`,
    `local ENDS = { ${among(TASK_ENDS)} }`,
    `local LEASED = { ${among(TASK_LEASED)} }`,
    '',
  ].join('\n');
}
