import assert from 'node:assert/strict';
import type {
  HistoryRow,
  HolderOutcome,
  NewTask,
  Settlement,
  SubmitOutcome,
  TaskRow,
  TasksStore,
} from '../spi/tasks.ts';
import { NOON } from './driver.ts';

export const LEASE_MS = 30_000;
const TENANT = 'acme';

/** A task with every optional field left out but those given. */
export function newTask(taskId: string, facts: Partial<NewTask> = {}): NewTask {
  return {
    tenant: TENANT,
    taskId,
    taskType: 'query.orders',
    kind: 'task',
    fingerprint: `f-${taskId}`,
    principal: 'shop',
    traceId: 'trace-1',
    agentId: 'crm',
    effect: 'read',
    priority: 4,
    attemptsMax: 4,
    selector: '{"capability":"query.orders"}',
    payload: `{"of":"${taskId}"}`,
    ...facts,
  };
}

type ClaimMove = Parameters<TasksStore['claim']>[0];

/** A store of tasks as a test uses it: one moment, one agent, one holder, unless it says otherwise. */
export class Floor {
  now = NOON;
  readonly tasks: TasksStore;

  constructor(tasks: TasksStore) {
    this.tasks = tasks;
  }

  try(
    task: NewTask,
    bounds: { pendingMax?: number; reserve?: number } = {},
  ): Promise<SubmitOutcome> {
    const { pendingMax = 1_000, reserve = 0 } = bounds;
    const move = { tasks: [task], pendingMax, reserve, now: this.now };
    return this.tasks.submit(move).then(([outcome]) => outcome ?? assert.fail('no answer'));
  }

  async submit(taskId: string, facts: Partial<NewTask> = {}): Promise<TaskRow> {
    const answer = await this.try(newTask(taskId, facts));
    assert.ok(answer.outcome === 'accepted', `${taskId}: ${answer.outcome}`);
    return answer.row;
  }

  claim(facts: Partial<ClaimMove> = {}): Promise<(TaskRow & { payload: string })[]> {
    return this.tasks.claim({
      tenant: TENANT,
      agentId: 'crm',
      holder: 'i-1',
      limit: 100,
      leaseMs: LEASE_MS,
      now: this.now,
      ...facts,
    });
  }

  /** The ids of what a claim gets, in its order. */
  async claimIds(facts: Partial<ClaimMove> = {}): Promise<string[]> {
    return (await this.claim(facts)).map((row) => row.taskId);
  }

  async claimOne(facts: Partial<ClaimMove> = {}): Promise<TaskRow> {
    const [row] = await this.claim({ limit: 1, ...facts });
    assert.ok(row, 'there is nothing to claim');
    const { payload: _, ...task } = row;
    return task;
  }

  ack(lease: TaskRow, leaseMs = LEASE_MS): Promise<HolderOutcome> {
    return this.tasks.ack({ ...nameOf(lease), leaseMs, now: this.now });
  }

  /** Submits, claims and acknowledges: a task that runs. */
  async start(taskId: string, facts: Partial<NewTask> = {}): Promise<TaskRow> {
    await this.submit(taskId, facts);
    const row = await this.claimOne();
    assert.equal(row.taskId, taskId);
    return okRow(await this.ack(row));
  }

  settle(lease: TaskRow, settlement: Settlement): Promise<HolderOutcome> {
    return this.tasks.settle({ ...nameOf(lease), settlement, now: this.now });
  }

  complete(lease: TaskRow, result = '{"n":1}'): Promise<HolderOutcome> {
    return this.settle(lease, { end: 'complete', result });
  }

  retry(lease: TaskRow, delayMs = 2_000): Promise<HolderOutcome> {
    return this.settle(lease, { end: 'fail', retryable: true, reason: 'busy', delayMs });
  }

  /** Ends lapsed leases, with room for twelve deliveries and waits of 2, 4 and 8 seconds. */
  expire(facts: Partial<Parameters<TasksStore['expire']>[0]> = {}) {
    const rule = { deliveriesMax: 12, delaysMs: [2_000, 4_000, 8_000], limit: 100 };
    return this.tasks.expire({ ...rule, now: this.now, ...facts });
  }

  /** Lets the lease that ends last run out, and says so. */
  async loseLease(): Promise<TaskRow[]> {
    this.now += LEASE_MS;
    return (await this.expire()).expired;
  }

  tick(facts: Partial<Parameters<TasksStore['tick']>[0]> = {}) {
    return this.tasks.tick({ limit: 100, now: this.now, ...facts });
  }

  async row(taskId: string): Promise<TaskRow> {
    const found = await this.tasks.get({ tenant: TENANT, taskId });
    assert.ok(found, `${taskId} is not there`);
    const { payload: _, result: __, ...row } = found;
    return row;
  }

  async state(taskId: string): Promise<TaskRow['state']> {
    return (await this.row(taskId)).state;
  }

  async result(taskId: string): Promise<string | undefined> {
    return (await this.tasks.get({ tenant: TENANT, taskId }))?.result;
  }

  history(taskId: string): Promise<HistoryRow[]> {
    return this.tasks.history({ tenant: TENANT, taskId });
  }

  /** A task's history in words: `cause:state`. */
  async tale(taskId: string): Promise<string[]> {
    return (await this.history(taskId)).map(({ cause, to }) => `${cause}:${to}`);
  }

  name(taskId: string) {
    return { tenant: TENANT, taskId };
  }

  /** Everything that is known of a task: two equal ones mean that nothing happened to it. */
  async whole(taskId: string): Promise<unknown> {
    const name = this.name(taskId);
    const { tasks } = this;
    return [await tasks.get(name), await tasks.history(name), await tasks.edits(name)];
  }
}

/** The lease of a row. */
export function nameOf({ tenant, taskId, epoch }: TaskRow) {
  return { tenant, taskId, epoch };
}

/** The row of a word that was granted. */
export function okRow(answer: HolderOutcome): TaskRow {
  assert.ok(answer.outcome === 'ok', answer.outcome);
  return answer.row;
}
