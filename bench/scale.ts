import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { type Decision, decisions } from './scale/decide.ts';
import { decisionTable, growth, NOTES, planeTable, storeTable } from './scale/report.ts';
import { type Figures, simulate } from './scale/simulate.ts';
import { redisCosts, type StoreCost } from './scale/stores.ts';

/**
 * How the control plane grows: `node bench/scale.ts [--agents=100 --agents=1000 …] [--gateways=…]
 * [--seed=7] [--part=plane --part=decide --part=redis] [--write]`. 100,000 agents take some minutes.
 *
 * Each case has a process of its own, so that memory is its own.
 */
const { values: options } = parseArgs({
  options: {
    agents: { type: 'string', multiple: true, default: ['100', '1000', '10000'] },
    gateways: { type: 'string', multiple: true, default: ['1', '2', '4'] },
    part: { type: 'string', multiple: true, default: ['plane', 'decide', 'redis'] },
    seed: { type: 'string', default: '7' },
    case: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const isWanted = (part: string) => options.part.includes(part);

async function main(): Promise<void> {
  const before = load();
  const figures: Figures[] = [];
  for (const agents of isWanted('plane') ? options.agents : []) {
    for (const gateways of options.gateways) {
      const found = await apart<Figures>({ kind: 'plane', agents, gateways });
      console.log(JSON.stringify(found));
      figures.push(found);
    }
  }
  const decided = isWanted('decide') ? await apart<Decision[]>({ kind: 'decide' }) : [];
  const costs: StoreCost[] | undefined = isWanted('redis') ? await redisCosts() : [];
  const report = [
    `${machineFacts()}; load before / after ${before} → ${load()} (1 / 5 minutes). Seed ${options.seed}.`,
    '',
    NOTES,
    '',
    ...planeTable(figures),
    '',
    ...growth(figures),
    '',
    ...decisionTable(decided),
    '',
    ...(costs === undefined ? ['redis-server does not run here.'] : storeTable(costs)),
  ].join('\n');
  console.log(report);
  if (options.write) keepResults('scale', 'npm run bench -- scale --write', report);
}

interface Asked {
  kind: 'plane' | 'decide';
  agents?: string;
  gateways?: string;
}

/** Runs one case in a process of its own, and reads what it found. */
async function apart<T>(asked: Asked): Promise<T> {
  const args = ['--expose-gc', '--max-old-space-size=12000', import.meta.filename];
  const flags = [`--case=${JSON.stringify(asked)}`, `--seed=${options.seed}`];
  const child = spawn(process.execPath, [...args, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout)) as T;
}

async function one({ kind, agents, gateways }: Asked): Promise<unknown> {
  if (kind === 'decide') return decisions();
  const seed = Number(options.seed);
  return simulate({ agents: Number(agents), gateways: Number(gateways), seed, tasks: true });
}

if (options.case === undefined) await main();
else console.log(JSON.stringify(await one(JSON.parse(options.case) as Asked)));
