import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { load, machineFacts } from './machine.ts';
import { beatCount, incident } from './reachability/beats.ts';
import { decisionCost } from './reachability/decide.ts';
import { detection } from './reachability/detect.ts';
import { loopback } from './reachability/loopback.ts';
import { overload } from './reachability/overload.ts';
import { type Findings, findingsTable, NOTES } from './reachability/report.ts';
import { restartPushes } from './reachability/restart.ts';
import { keepResults } from './results.ts';

/**
 * How well the gateway knows who can be reached, and what it costs: `node bench/reachability.ts
 * [--part=decide --part=beats …] [--seed=7] [--write]`. All parts take about three minutes.
 *
 * Each part has a process of its own, so that none pays for the memory of another.
 */
const PARTS: { [Part in keyof Findings]-?: (seed: number) => Promise<Findings[Part]> } = {
  decide: decisionCost,
  beats: beatCount,
  incident,
  restart: restartPushes,
  detect: detection,
  overload,
  loopback: () => loopback(),
};
const NAMES = Object.keys(PARTS) as (keyof Findings)[];

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: NAMES },
    seed: { type: 'string', default: '7' },
    case: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const before = load();
  const found: Findings = {};
  for (const name of NAMES) {
    if (!options.part.includes(name)) continue;
    Object.assign(found, { [name]: await apart(name) });
    console.log(JSON.stringify({ [name]: found[name] }));
  }
  const report = [
    `${machineFacts()}; load before / after ${before} → ${load()} (1 / 5 minutes). Seed ${options.seed}.`,
    '',
    NOTES,
    '',
    ...findingsTable(found),
  ].join('\n');
  console.log(`\n${report}`);
  if (options.write) keepResults('reachability', 'npm run bench -- reachability --write', report);
}

/** Runs one part in a process of its own, and reads what it found. */
async function apart(name: string): Promise<unknown> {
  const args = [import.meta.filename, `--case=${name}`, `--seed=${options.seed}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout));
}

function partOf(name: string): keyof Findings {
  const part = NAMES.find((one) => one === name);
  if (part === undefined) throw new Error(`No part is called ${name}: ${NAMES.join(', ')}.`);
  return part;
}

if (options.case === undefined) await main();
else console.log(JSON.stringify(await PARTS[partOf(options.case)](Number(options.seed))));
