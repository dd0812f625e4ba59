import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../kit/bounds.ts';
import { type Folder, openFolder } from '../kit/folder.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab, LEASE_MS } from './lab.ts';
import { monotonicUs } from './notes.ts';
import type { World } from './site.ts';
import { dealt, requests } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

/** A disk of so many bytes, of which so many are taken by a file that can be removed. */
const DISK_BYTES = 24 * 2 ** 20;
const FILLER_BYTES = 8 * 2 ** 20;
const PAYLOAD_BYTES = 100_000;
const RUNNING = 8;
const WORK_MS = 3_000;

/**
 * The disk fills up while work runs. Submissions are refused and say why, nothing that was
 * acknowledged is lost, what agents bring meanwhile is stored when there is room again, and nothing
 * is run twice for it.
 */
export const diskFull: Experiment = {
  id: 'E7',
  title: 'the disk fills up under the store, and is given room again',
  rounds: 3,
  missing,
  round,
};

/** A small disk is a file system of its own, which only root may mount. */
function missing({ store }: World): string | undefined {
  if (store.isShared) return 'a shared store keeps its files elsewhere';
  if (process.platform !== 'linux') return 'tmpfs is known to Linux alone';
  return process.getuid?.() === 0 ? undefined : 'only root may mount a small disk';
}

async function round(world: Round): Promise<Outcome> {
  await using disk = await openDisk();
  const filler = join(disk.path, 'filler');
  await writeFile(filler, Buffer.alloc(FILLER_BYTES));
  await using lab = await Lab.open(world, { dataDir: join(disk.path, 'data') });
  await lab.labourer({ places: RUNNING });
  await lab.submit({
    clients: [
      requests('run', RUNNING, () => ({ task_type: TYPES.work, payload: { ms: WORK_MS } })),
    ],
  });
  await lab.noted(RUNNING, ({ word }) => word === 'start');
  const notes = await lab.submit({ clients: dealt(fat(), 4) });
  // The agents bring their results to a store that is full.
  await lab.noted(RUNNING, ({ word }) => word === 'finish');
  const health = await lab.gateway.get('/health');
  // Until every lease has long run out: nobody could keep his.
  await pause(2 * LEASE_MS);
  await rm(filler);
  const from = monotonicUs();
  const after = await lab.submit({
    insist: 'acceptance',
    clients: [requests('after', 1, () => ({ task_type: TYPES.work, payload: { ms: 1 } }))],
  });
  await lab.settled();
  const normalMs = (monotonicUs() - from) / 1_000;

  const evidence = await lab.evidence();
  const refused = notes.filter(({ status }) => status !== 200);
  const demands = new Demands();
  demands.that(refused.length > 0, 'the disk never was full: nothing was refused');
  judgeRefusals(refused, demands);
  demands.that(health.status === 200, `/health said ${health.status}`);
  demands.that(
    after.at(-1)?.status === 200,
    'nothing could be submitted when there was room again',
  );
  for (const task of evidence.kept.keys()) {
    const starts = evidence.runs.filter((run) => run.task === task && run.word === 'start').length;
    demands.that(starts === 1, `was begun ${starts} times`, task);
  }
  return {
    evidence,
    faults: demands.faults,
    measured: {
      'submissions refused': [refused.length],
      'everything ended after there was room again, ms': [normalMs],
    },
  };
}

/** Submissions that fill the rest of the disk, and more. */
function fat() {
  const filler = 'x'.repeat(PAYLOAD_BYTES);
  const count = Math.ceil((1.5 * (DISK_BYTES - FILLER_BYTES)) / PAYLOAD_BYTES);
  return requests('fat', count, () => ({ task_type: TYPES.work, payload: { ms: 1, filler } }));
}

function judgeRefusals(refused: readonly SubmitNote[], demands: Demands): void {
  for (const { task, status, code } of refused) {
    demands.that(status === 503 && code === 'storage-full', `was answered ${status} ${code}`, task);
  }
}

/** A folder that is a small file system of its own. */
async function openDisk(): Promise<Folder> {
  const folder = await openFolder();
  const path = join(folder.path, 'disk');
  await mkdir(path);
  mustRun('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', path]);
  return {
    path,
    async [Symbol.asyncDispose]() {
      mustRun('umount', ['--lazy', path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function mustRun(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
