import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, systemClock } from '@agent-reach/core/kernel';
import { compareOver } from '../../contract/tasks-compare.ts';
import { TasksModel } from '../../contract/tasks-model.ts';
import { modelStore } from '../../contract/tasks-model-store.ts';
import { Database } from '../database.ts';
import { hostHere } from '../host.ts';
import { MIGRATIONS, migrate } from '../migrations.ts';
import { MoveQueue } from '../queue.ts';
import { storesOn } from '../stores.ts';
import { listText } from './list.ts';

/** A connection that remembers what it was asked. */
class Recorder extends Database {
  readonly texts = new Set<string>();

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As what it overrides.
  override get<Row>(sql: string, values?: object): Row | undefined {
    this.texts.add(sql);
    return super.get<Row>(sql, values);
  }

  override all<Row>(sql: string, values?: object): Row[] {
    this.texts.add(sql);
    return super.all<Row>(sql, values);
  }

  override run(sql: string, values?: object): number {
    this.texts.add(sql);
    return super.run(sql, values);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As what it overrides.
  override first<Row>(sql: string, ...values: Parameters<Database['write']>[1][]): Row | undefined {
    this.texts.add(sql);
    return super.first<Row>(sql, ...values);
  }

  override insert(sql: string, ...values: Parameters<Database['write']>[1][]): number {
    this.texts.add(sql);
    return super.insert(sql, ...values);
  }

  override list(sql: string, ...values: Parameters<Database['write']>[1][]) {
    this.texts.add(sql);
    return super.list(sql, ...values);
  }

  override lists(sql: string, values?: object) {
    this.texts.add(sql);
    return super.lists(sql, values);
  }

  override write(sql: string, ...values: Parameters<Database['write']>[1][]): void {
    this.texts.add(sql);
    super.write(sql, ...values);
  }
}

function openRecorder() {
  const db = new Recorder({ path: ':memory:', writes: true });
  migrate(db, MIGRATIONS, 0);
  db.texts.clear();
  const host = hostHere(db);
  const [clock, log] = [systemClock, silentLog];
  const queue = new MoveQueue({ host, clock, log, lingerMs: 0 });
  return { db, tasks: storesOn({ queue, host, db, clock, log }).tasks };
}

/** How SQLite would go about a statement: it keeps no statistics, so an empty store will do. */
function planOf(db: Database, sql: string): string {
  const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  return steps.map((step) => step.detail).join('\n');
}

test('no statement of any operation walks through a table that grows, or sorts one', async () => {
  const { db, tasks } = openRecorder();
  for (let seed = 1; seed <= 5; seed++) {
    const store = seed === 1 ? tasks : openRecorder().tasks;
    await compareOver({ store, model: modelStore(new TasksModel()) }, seed, 400);
  }

  const ours = [...db.texts].filter((sql) => /\btasks?(_|\b)/.test(sql));
  const walks = ours.filter((sql) => !sql.includes('LIMIT :limit') || !sql.includes('seq DESC'));
  assert.ok(walks.length > 40, `only ${walks.length} statements were seen`);
  for (const sql of walks) {
    const plan = planOf(db, sql);
    assert.doesNotMatch(plan, /SCAN (tasks|task_(payloads|results|history|orphans|edits))\b/, sql);
    const isSmall = /task_(queues|lanes|edits|orphans)/.test(sql);
    if (!isSmall) assert.doesNotMatch(plan, /USE TEMP B-TREE FOR .*ORDER BY/, sql);
  }
  db.close();
});

test('a list goes by the narrowest index that its filters allow', () => {
  const { db } = openRecorder();
  const planBy = (filters: Partial<Parameters<typeof listText>[0]>) =>
    planOf(db, listText({ tenant: 'acme', limit: 10, ...filters }));

  assert.match(planBy({ states: ['dead'] }), /SEARCH tasks USING INDEX tasks_dead/);
  assert.match(planBy({ states: ['running'] }), /tasks USING INDEX tasks_leased/);
  assert.match(planBy({ agentId: 'crm', states: ['queued'] }), /USING INDEX tasks_living/);
  assert.match(planBy({ agentId: null, states: ['waiting', 'dead'] }), /USING INDEX tasks_living/);
  assert.match(planBy({ agentId: 'crm' }), /SCAN tasks/);
  assert.match(planBy({ parentId: 't' }), /tasks USING INDEX tasks_by_parent/);
  assert.match(
    planBy({ chain: 'k', chainSeq: 3 }),
    /INDEX tasks_places \(tenant=\? AND chain=\? AND/,
  );
  assert.match(planBy({ chain: 'k', states: ['dead'] }), /USING INDEX tasks_places/);
  assert.match(planBy({ chain: 'k', states: ['blocked'] }), /USING INDEX tasks_blocked/);
  assert.match(planBy({ traceId: 't' }), /COVERING INDEX tasks_by_trace/);
  assert.match(planBy({ before: 9 }), /tasks USING INTEGER PRIMARY KEY \(rowid<\?\)/);
  for (const filters of [{}, { agentId: 'crm' }, { before: 9 }, { principal: 'shop' }]) {
    assert.doesNotMatch(planBy(filters), /TEMP B-TREE/);
  }
  db.close();
});
