import assert from 'node:assert/strict';
import { isTaskEnd, isTaskLeased, type TaskState } from '@agent-reach/core/task-states';
import { toLine, toTask } from '../tasks/row.ts';
import { type BareClient, keysOf } from './kit.ts';

type Task = Record<string, string | undefined>;
type Index = Record<string, number>;

/**
 * What must agree within the keys of tasks, whatever the history: each task stands in exactly the
 * indexes that its state names, and nothing else stands there; queues count what is in them; a chain
 * has one turn; the parts of a task are there with it, and go with it.
 */
export async function assertTasksWhole(client: BareClient, prefix: string): Promise<void> {
  const keys = await keysOf(client, prefix);
  const full = (key: string) => `{${prefix}}:${key}`;
  const under = (part: string) => keys.filter((key) => key.startsWith(`${part}:`));
  const tasks = await Promise.all(under('task').map((key) => taskOf(client, full(key))));

  const expected = indexesOf(tasks);
  const kept = keys.filter((key) => INDEXES.has(key.split(':', 1)[0] ?? ''));
  assert.deepEqual(kept.toSorted(), [...expected.keys()].toSorted(), 'the indexes that there are');
  const seqs = new Set(tasks.map(({ seq }) => seq));
  for (const part of ['orphans', 'edits']) {
    for (const key of under(part))
      assert.ok(seqs.has(key.slice(part.length + 1)), `${key} of none`);
  }

  // All at once: a server answers hundreds of questions in the time of a few that wait for each other.
  await Promise.all([
    ...[...expected].map(async ([key, members]) => {
      assert.deepEqual(asIndex(await client.zRangeWithScores(full(key), 0, -1)), members, key);
    }),
    ...under('queue').map(async (key) => {
      const counts = countsOf(tasks, key.slice('queue:'.length));
      assert.deepEqual(living(await client.hGetAll(full(key))), counts, key);
    }),
    ...tasks.map((task) => assertParts(client, full, task)),
  ]);
  const turns = under('turn').map(async (key) => [key, await client.get(full(key))]);
  assert.deepEqual(
    Object.fromEntries(await Promise.all(turns)),
    turnsOf(tasks),
    'who has the turn',
  );
}

async function taskOf(client: BareClient, key: string): Promise<Task> {
  const [fixed, moving] = await client.hmGet(key, ['fixed', 'moving']);
  const parts = toTask([fixed ?? '', moving ?? '']);
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, String(part)]));
}

async function assertParts(client: BareClient, full: (key: string) => string, task: Task) {
  const { seq, version, state, tenant, taskId } = task;
  assert.equal(await client.hGet(full(`ids:${tenant}`), taskId ?? ''), seq, `the id of ${seq}`);
  const kept = await client.hGetAll(full(`task:${seq}`));
  assert.ok('payload' in kept, `the payload of ${seq}`);
  if (state === 'succeeded') assert.ok('result' in kept, `the result of ${seq}`);
  const lines = Object.entries(kept)
    .filter(([field]) => field.startsWith('line'))
    .map(([, line]) => toLine(line))
    .toSorted((a, b) => a.version - b.version);
  const last = lines.at(-1);
  assert.deepEqual([last?.version, last?.to], [Number(version), state], `the history of ${seq}`);
  for (const [n, line] of lines.entries()) {
    if (n > 1) assert.equal(line.from, lines[n - 1]?.to, `the history of ${seq}`);
  }
  assert.ok((await client.hLen(full(`orphans:${seq}`))) <= 3, `the orphans of ${seq}`);
}

/** Sorted sets that follow from the tasks alone. */
const INDEXES: ReadonlySet<string> = new Set([
  'state',
  'living',
  'lanes',
  'callers',
  'ready',
  'age',
  'leased',
  'due',
  'blocked',
  'died',
  'ended',
  'deadlines',
  'trace',
  'children',
  'chain',
  'place',
]);

function indexesOf(tasks: readonly Task[]): ReadonlyMap<string, Index> {
  const indexes = new Map<string, Index>();
  const put = (key: string, member: string | undefined, score: unknown) => {
    const index = indexes.get(key) ?? {};
    indexes.set(key, { ...index, [String(member)]: Number(score) });
  };
  for (const task of tasks) {
    const { seq, tenant, principal } = task;
    const state = task['state'] as TaskState;
    put(`state:${state}:${tenant}`, seq, seq);
    put(`trace:${join(tenant, task['traceId'])}`, seq, seq);
    if (task['parentId'] !== undefined) {
      put(`children:${join(tenant, task['parentId'])}`, seq, seq);
    }
    if (task['chain'] !== undefined) {
      put(`chain:${chainOf(task)}`, seq, seq);
      put(`place:${join(tenant, task['chain'], task['chainSeq'] ?? '0')}`, seq, seq);
    }
    if (!isTaskEnd(state)) put(`living:${queueOf(task)}`, seq, seq);
    const isPressed = state !== 'dead' && !isTaskEnd(state);
    if (isPressed && task['deadlineAt'] !== undefined) put('deadlines', seq, task['deadlineAt']);
    if (isTaskEnd(state)) put('ended', seq, task['endedAt']);
    else if (isTaskLeased(state)) put('leased', seq, task['leaseEndsAt']);
    else if (state === 'dead') put('died', seq, task['updatedAt']);
    else if (state === 'waiting') put('due', seq, task['dueAt']);
    else if (state === 'blocked') put(`blocked:${chainOf(task)}`, seq, task['chainSeq'] ?? 0);
    else {
      const spot = queueOf(task) + laneOf(task);
      put(`lanes:${queueOf(task)}`, laneOf(task), task['priority']);
      put(`callers:${spot}`, principal, 0);
      put(`ready:${spot}${principal}`, seq, seq);
      put(`age:${spot}`, seq, task['readyAt']);
    }
  }
  return indexes;
}

function turnsOf(tasks: readonly Task[]): Record<string, string> {
  const turns: Record<string, string> = {};
  for (const task of tasks) {
    const state = task['state'] as TaskState;
    const has =
      state === 'dead' ? task['onDead'] !== 'skip' : state !== 'blocked' && !isTaskEnd(state);
    if (task['chain'] !== undefined && has) turns[`turn:${chainOf(task)}`] = task['seq'] ?? '';
  }
  return turns;
}

/** What a queue must count of the tasks in it; what is none is left out. */
function countsOf(tasks: readonly Task[], queue: string): Record<string, string> {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const task of tasks) {
    if (isTaskEnd(task['state'] as TaskState) || queueOf(task) !== queue) continue;
    add(task['state'] ?? '');
    if (task['state'] === 'queued') add(`queued:${task['priority']}`);
  }
  return Object.fromEntries([...counts].map(([name, count]) => [name, String(count)]));
}

/** Of a queue's hash, the counts that are not nothing. */
function living(kept: Record<string, string>): Record<string, string> {
  const isCount = ([name, value]: [string, string]) =>
    value !== '0' && name !== 'taken' && !name.startsWith('turn:');
  return Object.fromEntries(Object.entries(kept).filter(isCount));
}

function asIndex(found: readonly { value: string; score: number }[]): Index {
  return Object.fromEntries(found.map(({ value, score }) => [value, score]));
}

function queueOf({ tenant, agentId, taskType }: Task): string {
  return agentId === undefined ? join(tenant, '', taskType) : join(tenant, agentId);
}

function laneOf({ priority, group, taskType, home }: Task): string {
  return join(Number(priority), group ?? '', taskType, home ?? '');
}

function chainOf({ tenant, chain }: Task): string {
  return join(tenant, chain);
}

/** As cjson writes it, who escapes a slash. */
function join(...names: (string | number | undefined)[]): string {
  return JSON.stringify(names).replaceAll('/', '\\/');
}
