import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchLines } from './audit.ts';
import { Database } from './database.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { PRUNE_OLD, searchHops } from './traces.ts';

/** How SQLite would go about a statement, on an empty store: it keeps no statistics anyway. */
function planOf(sql: string): string {
  const db = new Database({ path: ':memory:', writes: true });
  migrate(db, MIGRATIONS, 0);
  const steps = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  db.close();
  return steps.map((step) => step.detail).join('\n');
}

const ALL = { tenant: 'acme', limit: 1 };

// To walk through a million rows takes a hundred times as long: a plan that does is a decision.
test('a hop is found by its ids through their blocks', () => {
  const plan = planOf(searchHops({ ...ALL, traceId: 't', requestId: 'r', agent: 'crm' }));

  assert.match(plan, /SEARCH traces USING COVERING INDEX traces_by_trace/);
  assert.match(plan, /SEARCH traces USING COVERING INDEX traces_by_legacy/);
  assert.match(plan, /SEARCH traces USING COVERING INDEX traces_by_request/);
  assert.match(plan, /SEARCH traces USING INTEGER PRIMARY KEY/);
  assert.doesNotMatch(plan, /SCAN traces\b/);
});

test('hops are walked by time, and sorted only within a moment', () => {
  const plan = planOf(searchHops({ ...ALL, agent: 'crm', capability: 'a', since: 1, until: 2 }));

  assert.match(plan, /^SEARCH traces USING INDEX traces_by_time \(tenant=\? AND at>\? AND at<\?\)/);
  assert.doesNotMatch(plan, /TEMP B-TREE FOR ORDER BY/);
});

test('a line is found by its ids, and walked by time', () => {
  const byId = planOf(searchLines({ ...ALL, traceId: 't', requestId: 'r' }));
  assert.match(byId, /SEARCH audit USING COVERING INDEX audit_by_trace/);
  assert.match(byId, /SEARCH audit USING COVERING INDEX audit_by_request/);
  assert.doesNotMatch(byId, /SCAN audit\b/);

  const byTime = planOf(searchLines({ ...ALL, principal: 'shop', target: 'crm' }));
  assert.match(byTime, /^SEARCH audit USING INDEX audit_by_time \(tenant=\?\)/);
  assert.doesNotMatch(byTime, /TEMP B-TREE FOR ORDER BY/);
});

test('what is old is found through time', () => {
  const plan = planOf(PRUNE_OLD);

  assert.match(plan, /traces_by_time \(tenant=\? AND at<\?\)/);
  assert.doesNotMatch(plan, /SCAN traces\b/);
});
