import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { load, machineFacts } from './machine.ts';

/**
 * `npm run bench [-- name …] [--flag …]`: everything that can be measured, or the named scenarios,
 * one after the other; `--list` only says what there is. Other flags go to each scenario: `--write`
 * keeps in RESULTS.md what came out.
 */
const SCENARIOS: Readonly<Record<string, string>> = {
  audit: 'lines of the audit chain a second, waited for, and verified',
  call: 'a call through the gateway, plain and governed, beside a bare proxy; --check holds it to budgets',
  gateways: 'tasks over HTTP: two gateways on one Redis beside one',
  profile: 'where the gateway spends its JavaScript thread during plain calls',
  reachability:
    'who can be reached: decisions, heartbeats, detection, changes, beside what is aimed at',
  routing: 'how well intents are read on public sets, beside plain BM25 and character runs',
  scale: 'how the control plane grows with agents and gateways, and what idling costs a Redis',
  storage: 'the embedded store: latency, CPU, and how long it holds up the event loop',
  redis: 'tasks in our Redis store, beside BullMQ on the same server',
  tasks: 'tasks, in the store and over HTTP, beside BullMQ, pg-boss and graphile-worker',
  'tasks-postgres': 'tasks in PostgreSQL: our driver beside graphile-worker and pg-boss',
};

async function main(args: readonly string[]): Promise<number> {
  const named = args.filter((arg) => !arg.startsWith('-'));
  const flags = args.filter((arg) => arg.startsWith('-') && arg !== '--list');
  const unknown = named.find((name) => !Object.hasOwn(SCENARIOS, name));
  for (const [name, what] of Object.entries(SCENARIOS)) console.log(`${name.padEnd(16)} ${what}`);
  if (unknown !== undefined) {
    console.error(`\nNo scenario is called ${unknown}.`);
    return 1;
  }
  if (args.includes('--list')) return 0;
  console.log(`\n${machineFacts()}`);
  for (const name of named.length > 0 ? named : Object.keys(SCENARIOS)) {
    console.log(`\n── ${name}, load ${load()}\n`);
    const code = await run(name, flags);
    console.log(`\n── ${name} ended, load ${load()}`);
    if (code !== 0) return code;
  }
  return 0;
}

function run(name: string, flags: readonly string[]): Promise<number> {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, [file, ...flags], { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main(process.argv.slice(2));
