import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFolder } from '../kit/folder.ts';
import type { Evidence } from './evidence.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { type PlannedRequest, requests } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

const FULL = { tasks: 10_000, submitters: 4, clients: 25, agents: 4, places: 50, pending: 1_000 };
const SHORT = { tasks: 1_000, submitters: 2, clients: 10, agents: 1, places: 20, pending: 100 };
const WORK_MS = 200;
/** PostgreSQL takes some tens of ordered submissions to one queue a second on a busy machine. */
const BURST_MS = 600_000;

/**
 * Far more than can be taken comes at once. Each request is accepted or told when to come again;
 * what is accepted ends, in the order of its source, and the growth of the queue is told once a mark.
 */
export const burst: Experiment = {
  id: 'E10',
  title: '10,000 tasks are submitted at once to a queue of 1,000',
  rounds: 2,
  round,
};

async function round({ isShort, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  const logs = Array.from({ length: world.gateways }, () => '');
  await using folder = await openFolder();
  const delayFile = (n: number) => join(folder.path, `delay-${n}.json`);
  const probe = pathToFileURL(join(import.meta.dirname, 'loop-delay.ts')).href;
  await using lab = await Lab.open(world, {
    set: { 'flowcontrol.max-pending': String(size.pending), 'flowcontrol.reserve': '0' },
    each: (n) => ({
      env: { NODE_OPTIONS: `--import ${probe}`, LOOP_DELAY_FILE: delayFile(n) },
      heard: (text) => {
        logs[n] += text;
      },
    }),
  });
  await lab.labourers(size.agents, { places: size.places });
  for (const gateway of lab.site.gateways) gateway.signal('SIGUSR2');

  const from = monotonicUs();
  const plans = Array.from({ length: size.submitters }, (_, i) => clientsOf(i, size));
  const notes = (
    await Promise.all(
      plans.map((clients) => lab.submit({ clients, insist: 'answer' }, { boundMs: BURST_MS })),
    )
  ).flat();
  const tookMs = (monotonicUs() - from) / 1_000;
  await lab.settled();
  const settledMs = (monotonicUs() - from) / 1_000;

  const evidence = await lab.evidence();
  const files = await Promise.all(logs.map((_, n) => readFile(delayFile(n), 'utf8')));
  const delays = files.map((text) => JSON.parse(text) as Record<string, number>);
  const delay = (name: string) => delays.map((one) => one[name] ?? 0);
  return {
    evidence,
    faults: judge(notes, evidence, logs, size.tasks),
    measured: {
      'all requests answered after, ms': [tookMs],
      'all accepted tasks ended after, ms': [settledMs],
      accepted: [evidence.acked.size],
      'answers that never came, and were asked for again': [
        notes.filter(({ status }) => status === 0).length,
      ],
      'event loop delay, p50, ms': delay('p50'),
      'event loop delay, p99, ms': delay('p99'),
      'event loop delay, most, ms': delay('max'),
    },
  };
}

/** Each client is a source: it sends its tasks one after the other, and they are kept in order. */
function clientsOf(submitter: number, size: typeof FULL): PlannedRequest[][] {
  const each = size.tasks / size.submitters / size.clients;
  return Array.from({ length: size.clients }, (_, client) => {
    const key = `s${submitter}-${client}`;
    return requests(key, each, (n) => ({
      task_type: TYPES.work,
      // A tenth takes its time, or nothing would ever be full.
      payload: { ms: n % 10 === 0 ? WORK_MS : 1, key, seq: n },
      source_id: key,
      ordered: true,
    }));
  });
}

function judge(
  notes: readonly SubmitNote[],
  { acked, runs }: Evidence,
  logs: readonly string[],
  tasks: number,
) {
  const demands = new Demands();
  const refused = notes.filter(({ status }) => status === 503);
  const others = notes.filter(({ status }) => status !== 0 && status !== 503 && status !== 200);
  const sum = acked.size + refused.length;
  demands.that(sum === tasks, `${acked.size} accepted + ${refused.length} refused of ${tasks}`);
  for (const { task, status, code } of others) demands.that(false, `${status} ${code}`, task);
  demands.that(refused.length > 0, 'the queue was never full: the burst was none');
  for (const { task, code, retryAfter } of refused) {
    demands.that(code === 'agent-busy', `was refused with ${code}`, task);
    demands.that(retryAfter === true, 'was refused without Retry-After', task);
  }
  const begun = new Set(runs.map(({ task }) => task));
  for (const { task } of refused) demands.that(!begun.has(task), 'was refused, and run', task);
  for (const level of ['warn', 'danger']) {
    const told = logs.map((log) => marksIn(log, level));
    // Each gateway tells what it sees; none tells it twice.
    const isRight = told.every((times) => times <= 1) && told.some((times) => times === 1);
    demands.that(isRight, `the mark ${level} was told ${told.join(' and ')} times`);
  }
  return demands.faults;
}

function marksIn(log: string, level: string): number {
  const lines = log.split('\n');
  return lines.filter((line) => line.includes(`"fill":"${level}"`) && line.includes('fills up'))
    .length;
}
