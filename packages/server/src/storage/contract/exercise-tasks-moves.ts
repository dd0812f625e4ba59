import assert from 'node:assert/strict';
import { TASK_MOVES, type TaskState } from '@agent-reach/core';
import type { NewTask, TaskRow } from '../spi/tasks.ts';
import { type Driver, scenario } from './driver.ts';
import { Floor, LEASE_MS } from './tasks-kit.ts';

/**
 * The whole table: a task is brought to each state, everything that can be done is done to it, and
 * what comes of it is compared with the list below. What is not listed must change nothing. In the
 * end every move of `TASK_MOVES` must have been made, and no other.
 */
export function exerciseTasksMoves(driver: Driver): void {
  scenario(driver, 'in each state, each thing that can be done', async ({ tasks }) => {
    const made = new Set<string>();

    for (const variant of Object.keys(BRING) as Variant[]) {
      for (const [n, deed] of (Object.keys(DEEDS) as Deed[]).entries()) {
        await tryOne(new Floor(tasks), { variant, deed, id: `${variant} ${n}` }, made);
      }
    }

    const legal = TASK_MOVES.map((move) => move.join(' '));
    assert.deepEqual([...made].toSorted(), legal.toSorted());
  });
}

interface Trial {
  variant: Variant;
  deed: Deed;
  id: string;
}

/** Each trial has an agent and a chain of its own: what others left behind does not matter. */
async function tryOne(
  floor: Floor,
  { variant, deed, id }: Trial,
  made: Set<string>,
): Promise<void> {
  const facts = { agentId: id, chain: id, ...FACTS[deed] };
  const trial: Stage = { floor, id, facts };
  const row = await BRING[variant](trial);
  assert.equal(row.state, stateOf(variant), id);
  const before = await floor.whole(id);

  await DEEDS[deed]({ ...trial, row });

  const after = await floor.row(id);
  const { [variant]: own, [stateOf(variant)]: ofState } = EXPECTED[deed];
  const expected = own === undefined ? ofState : own;
  const what = `${deed} of a task that is ${variant}`;
  if (expected === undefined || expected === NOTHING)
    assert.deepEqual(await floor.whole(id), before, what);
  else assert.equal(`${after.cause} ${after.state}`, expected, what);
  for (const { from, cause, to } of await floor.history(id)) {
    if (from !== undefined && from !== to) made.add(`${from} ${cause} ${to}`);
  }
}

interface Stage {
  floor: Floor;
  /** Of the task, its agent and its chain. */
  id: string;
  facts: Partial<NewTask>;
}

const BRING = {
  queued: ({ floor, id, facts }) => floor.submit(id, facts),
  waiting: ({ floor, id, facts }) => floor.submit(id, { ...facts, delayMs: DELAY_MS }),
  blocked: async ({ floor, id, facts }) => {
    await floor.submit(`${id} head`, { agentId: id, chain: id });
    return floor.submit(id, facts);
  },
  'blocked, later': async ({ floor, id, facts }) => {
    await floor.submit(`${id} head`, { agentId: id, chain: id });
    return floor.submit(id, { ...facts, delayMs: DELAY_MS });
  },
  delivered: async (stage) => {
    await BRING.queued(stage);
    return stage.floor.claimOne({ agentId: stage.id });
  },
  running: async (stage) => {
    const lease = await BRING.delivered(stage);
    await stage.floor.ack(lease);
    return stage.floor.row(stage.id);
  },
  'queued, lost': async (stage) => {
    await BRING.delivered(stage);
    return lose(stage);
  },
  'waiting, lost': async (stage) => {
    await BRING.running({ ...stage, facts: { ...stage.facts, effect: 'read', attemptsMax: 3 } });
    return lose(stage);
  },
  'dead, lost': async (stage) => {
    await BRING.running({ ...stage, facts: { ...stage.facts, effect: 'write', kind: 'task' } });
    return lose(stage);
  },
  'dead, skipped': async (stage) => {
    const { floor, id, facts } = stage;
    await BRING.running({
      ...stage,
      facts: { ...facts, effect: 'write', kind: 'task', onDead: 'skip' },
    });
    await floor.submit(`${id} next`, { agentId: id, chain: id });
    const row = await lose(stage);
    await floor.claimOne({ agentId: id });
    return row;
  },
  succeeded: async (stage) => {
    await stage.floor.complete(await BRING.running(stage));
    return stage.floor.row(stage.id);
  },
  failed: async (stage) => {
    const no = { end: 'fail', retryable: false, reason: 'no' } as const;
    await stage.floor.settle(await BRING.running(stage), no);
    return stage.floor.row(stage.id);
  },
  cancelled: async (stage) => {
    await BRING.queued(stage);
    await stage.floor.tasks.cancel({
      ...stage.floor.name(stage.id),
      tree: false,
      now: stage.floor.now,
    });
    return stage.floor.row(stage.id);
  },
} satisfies Record<string, (stage: Stage) => Promise<TaskRow>>;

type Variant = keyof typeof BRING;

/** Shorter than a lease, so that a delay can be over while a lease lasts. */
const DELAY_MS = LEASE_MS / 2;

async function lose({ floor, id }: Stage): Promise<TaskRow> {
  await floor.loseLease();
  return floor.row(id);
}

function stateOf(variant: Variant): TaskState {
  return variant.replace(/,.*/, '') as TaskState;
}

/** What the task of a deed must be like for it to show. */
const FACTS: Partial<Record<Deed, Partial<NewTask>>> = {
  'retry, spent': { attemptsMax: 1 },
  'retry, a call': { attemptsMax: 1, kind: 'call' },
  'doubt, a call': { kind: 'call' },
  'lapse of a write': { effect: 'write' },
  'lapse, attempts spent': { attemptsMax: 1 },
  'lapse of a call': { attemptsMax: 1, kind: 'call' },
  deadline: { deadlineMs: LEASE_MS * 1.5 },
};

type Act = (stage: Stage & { row: TaskRow }) => Promise<unknown>;

const no = { end: 'fail', retryable: false, reason: 'no' } as const;
const doubt = { end: 'doubt', reason: 'perhaps' } as const;
const lapse: Act = ({ floor }) => lapseAt(floor, 12);

const DEEDS = {
  claim: ({ floor, id }) => floor.claim({ agentId: id, limit: 1 }),
  ack: ({ floor, row }) => floor.ack(row),
  complete: ({ floor, row }) => floor.complete(row),
  refuse: ({ floor, row }) => floor.settle(row, no),
  retry: ({ floor, row }) => floor.retry(row),
  'retry, spent': ({ floor, row }) => floor.retry(row),
  'retry, a call': ({ floor, row }) => floor.retry(row),
  doubt: ({ floor, row }) => floor.settle(row, doubt),
  'doubt, a call': ({ floor, row }) => floor.settle(row, doubt),
  release: ({ floor, row }) => floor.settle(row, { end: 'release' }),
  postpone: ({ floor, row }) => floor.settle(row, { end: 'release', delayMs: 9 }),
  lapse,
  'lapse of a write': lapse,
  'lapse, attempts spent': lapse,
  'lapse of a call': lapse,
  'lapse, deliveries spent': ({ floor }) => lapseAt(floor, 1),
  due: ({ floor }) => {
    floor.now += DELAY_MS;
    return floor.tick({ limit: 10_000 });
  },
  deadline: ({ floor }) => {
    floor.now += LEASE_MS * 1.5;
    return floor.tick({ limit: 10_000 });
  },
  'end of the head': ({ floor, id, row }) =>
    row.state === 'blocked'
      ? floor.tasks.cancel({ ...floor.name(`${id} head`), tree: false, now: floor.now })
      : Promise.resolve(),
  'an earlier one': ({ floor, id }) =>
    floor.submit(`${id} earlier`, { agentId: id, chain: id, chainSeq: -1 }),
  cancel: ({ floor, id }) => floor.tasks.cancel({ ...floor.name(id), tree: false, now: floor.now }),
  kill: ({ floor, id }) =>
    floor.tasks.kill({ ...floor.name(id), by: 'ops', reason: 'no', now: floor.now }),
  redrive: ({ floor, id }) => floor.tasks.redrive({ ...floor.name(id), by: 'ops', now: floor.now }),
} satisfies Record<string, Act>;

type Deed = keyof typeof DEEDS;

async function lapseAt(floor: Floor, deliveriesMax: number): Promise<void> {
  floor.now += LEASE_MS;
  await floor.expire({ deliveriesMax, limit: 10_000 });
}

const LATE = {
  'queued, lost': 'completed-late succeeded',
  'waiting, lost': 'completed-late succeeded',
  'dead, lost': 'completed-late succeeded',
  'dead, skipped': 'completed-late succeeded',
};
const REFUSED_LATE = {
  'queued, lost': 'refused-late failed',
  'waiting, lost': 'refused-late failed',
  'dead, lost': 'refused-late failed',
  'dead, skipped': 'refused-late failed',
};
const both = (end: string) => ({ delivered: end, running: end });

/** For a variant whose state alone would promise more. */
const NOTHING = '';

/** `cause state` after a deed, by variant or else by state; what is missing changes nothing. */
const EXPECTED: Record<Deed, Partial<Record<Variant | TaskState, string>>> = {
  claim: { queued: 'claimed delivered' },
  ack: { delivered: 'acked running' },
  complete: { ...both('completed succeeded'), ...LATE },
  refuse: { ...both('refused failed'), ...REFUSED_LATE },
  retry: both('retry waiting'),
  'retry, spent': both('attempts-spent dead'),
  'retry, a call': both('given-up failed'),
  doubt: both('needs-decision dead'),
  'doubt, a call': both('given-up failed'),
  release: both('released queued'),
  postpone: both('postponed waiting'),
  lapse: { delivered: 'lease-lost queued', running: 'lease-lost waiting' },
  'lapse of a write': { delivered: 'lease-lost queued', running: 'needs-decision dead' },
  'lapse, attempts spent': { delivered: 'lease-lost queued', running: 'attempts-spent dead' },
  'lapse of a call': { delivered: 'lease-lost queued', running: 'given-up failed' },
  'lapse, deliveries spent': both('deliveries-spent dead'),
  due: { waiting: 'due queued' },
  deadline: {
    queued: 'timeout failed',
    waiting: 'timeout failed',
    blocked: 'timeout failed',
    ...both('timeout failed'),
  },
  'end of the head': { blocked: 'unblocked queued', 'blocked, later': 'delayed waiting' },
  // Nobody overtakes what somebody was given and may still be at.
  'an earlier one': {
    queued: 'overtaken blocked',
    waiting: 'overtaken blocked',
    'queued, lost': NOTHING,
    'waiting, lost': NOTHING,
  },
  cancel: {
    queued: 'cancelled cancelled',
    waiting: 'cancelled cancelled',
    blocked: 'cancelled cancelled',
    dead: 'cancelled cancelled',
    ...both('cancelled cancelled'),
  },
  kill: { queued: 'killed dead', waiting: 'killed dead' },
  redrive: { 'dead, lost': 'redriven queued', 'dead, skipped': 'overtaken blocked' },
};
