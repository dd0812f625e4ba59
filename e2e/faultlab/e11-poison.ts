import { dataOf } from '../kit/wire.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { dealt, type PlannedRequest, requests } from './submit-plan.ts';
import { TYPES, type Work } from './work.ts';

const FULL = { others: 400, agents: 3, ms: 50, deliveriesMax: 12 };
const SHORT = { others: 60, agents: 2, ms: 20, deliveriesMax: 5 };
const ATTEMPTS_MAX = 4;
const RESULT_MAX = 4_096;
const LEASE_MS = 1_000;

/** What makes a task poison, by its id. */
const POISON: Readonly<Record<string, { task_type: string; payload: Work; timeout?: number }>> = {
  'dies-after-receipt': { task_type: TYPES.work, payload: { ms: 0, dies: true } },
  'dies-before-receipt': { task_type: TYPES.quick, payload: { ms: 0, dies: true } },
  'result-too-large': { task_type: TYPES.work, payload: { ms: 0, bytes: 2 * RESULT_MAX } },
  'hangs-and-lives': { task_type: TYPES.work, payload: { ms: 0, hangs: true }, timeout: 5 },
};

/**
 * Tasks that kill whoever takes them, before the receipt and after it, that hang while their agent
 * says that it lives, or whose result nobody can keep. Each ends after its bound, all others are
 * done, and what is mended at the desk succeeds.
 */
export const poison: Experiment = {
  id: 'E11',
  title: 'tasks that kill their agents, hang, or bring what cannot be stored',
  rounds: 2,
  round,
};

async function round({ isShort, ...world }: Round): Promise<Outcome> {
  const size = isShort ? SHORT : FULL;
  await using lab = await Lab.open(world, {
    set: {
      'task.deliveries.max': String(size.deliveriesMax),
      'task.result.max': String(RESULT_MAX),
      'task.run.lease': `${LEASE_MS}ms`,
      'task.ack.timeout': `${LEASE_MS}ms`,
    },
  });
  // One place each: a death must not take the innocent along, whose attempts would be burnt too.
  for (let i = 0; i < size.agents; i++) await lab.supervised({ places: 1 });
  const baseMs = await pass(lab, 'base', size);
  // Its time runs from here on, and the others leave nobody alive to begin it.
  await lab.submit({ clients: [[poisoned('hangs-and-lives')]] });
  await lab.noted(1, ({ word, task }) => word === 'start' && task === 'hangs-and-lives');
  const others = Object.keys(POISON).filter((id) => id !== 'hangs-and-lives');
  await lab.submit({ clients: [others.map(poisoned)] });
  const poisonedMs = await pass(lab, 'other', size);
  await lab.settled();

  const demands = new Demands();
  await judgeDesk(lab, size.deliveriesMax, demands);
  await mend(lab, 'dies-after-receipt', demands);
  await mend(lab, 'dies-before-receipt', demands);
  await lab.settled();
  const evidence = await lab.evidence();
  for (const [task, { state }] of evidence.kept) {
    const isInnocent = !(task in POISON);
    if (isInnocent) demands.that(state === 'succeeded', `an innocent task is ${state}`, task);
  }
  return {
    evidence,
    faults: demands.faults,
    measured: {
      'rate of the others beside poison, percent of the rate without': [
        (100 * baseMs) / poisonedMs,
      ],
    },
  };
}

function poisoned(id: string): PlannedRequest {
  return { body: { ...POISON[id], task_id: id, priority: 9 } };
}

/** How long a batch of good tasks takes, from the first begin to the last end. */
async function pass(lab: Lab, prefix: string, { others, ms }: typeof FULL): Promise<number> {
  const wanted = requests(prefix, others, () => ({ task_type: TYPES.work, payload: { ms } }));
  const from = monotonicUs();
  await lab.submit({ clients: dealt(wanted, 4) });
  const ends = await lab.noted(
    others,
    ({ word, task }) => word === 'finish' && task.startsWith(`${prefix}-`),
  );
  return (Math.max(...ends.map(({ at }) => at)) - from) / 1_000;
}

async function judgeDesk(lab: Lab, deliveriesMax: number, demands: Demands): Promise<void> {
  const views = new Map<
    string,
    { status: string; cause?: string; deliveries: number; attempts: number }
  >();
  for (const id of Object.keys(POISON)) {
    views.set(id, dataOf('tasks.get', await lab.gateway.get(`/v1/tasks/${id}`)));
  }
  const said = (id: string) => {
    const { status = '', cause = '' } = views.get(id) ?? {};
    return `${status} ${cause}`;
  };
  const expect = (id: string, what: string) => demands.that(said(id) === what, said(id), id);
  expect('dies-after-receipt', 'dead attempts-spent');
  expect('dies-before-receipt', 'dead deliveries-spent');
  expect('result-too-large', 'failed refused');
  expect('hangs-and-lives', 'failed timeout');
  const starts = Map.groupBy(
    lab.runs().filter(({ word }) => word === 'start'),
    ({ task }) => task,
  );
  const begun = (id: string) => starts.get(id)?.length ?? 0;
  demands.that(
    begun('dies-after-receipt') === ATTEMPTS_MAX,
    `${begun('dies-after-receipt')} starts`,
  );
  demands.that(
    begun('dies-before-receipt') === deliveriesMax,
    `${begun('dies-before-receipt')} starts`,
  );
  demands.that(begun('result-too-large') === 1, `${begun('result-too-large')} starts`);
  demands.that(begun('hangs-and-lives') === 1, `${begun('hangs-and-lives')} starts`);
  const { tasks } = dataOf('dead-letters.list', await lab.gateway.get('/v1/dead-letters'));
  const listed = tasks.map(({ task_id: id }) => id).toSorted();
  demands.that(
    listed.join() === 'dies-after-receipt,dies-before-receipt',
    `at the desk are ${listed.join()}`,
  );
}

/** A person takes the poison out and runs it again. */
async function mend(lab: Lab, id: string, demands: Demands): Promise<void> {
  const payload: Work = { ms: 1 };
  const body = { payload, reason: 'the poison is taken out' };
  dataOf('dead-letters.redrive', await lab.gateway.post(`/v1/dead-letters/${id}/redrive`, body));
  const { status } = await lab.gateway.reach.tasks.wait(id, { timeoutMs: 20_000 });
  demands.that(status === 'succeeded', `after its redrive it is ${status}`, id);
}
