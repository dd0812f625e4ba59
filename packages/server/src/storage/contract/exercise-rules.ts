import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { type Driver, NOON, scenario } from './driver.ts';

const PINS = { tenant: 'acme', name: 'pins' };
const FIRST = { ...PINS, doc: '{"v":1}', by: 'ops', expectVersion: 0, now: NOON };

/** Versioned documents. */
export function exerciseRules(driver: Driver): void {
  suite('rules', () => {
    exerciseVersions(driver);
    exerciseHistory(driver);
  });
}

function exerciseVersions(driver: Driver): void {
  scenario(driver, 'a document that was never written is absent', async ({ rules }) => {
    assert.equal(await rules.get(PINS), undefined);
    assert.deepEqual(await rules.list({ tenant: 'acme' }), []);
    assert.deepEqual(await rules.history({ ...PINS, limit: 100 }), []);
  });

  scenario(driver, 'a document is written version by version', async ({ rules }) => {
    const first = await rules.put(FIRST);
    const row = { ...PINS, version: 1, doc: '{"v":1}', by: 'ops', at: NOON };
    assert.deepEqual(first, { outcome: 'stored', row });
    assert.deepEqual(await rules.get(PINS), row);

    const second = await rules.put({ ...FIRST, doc: '{"v":2}', expectVersion: 1, now: NOON + 1 });

    assert.equal(second.outcome, 'stored');
    assert.equal(second.row.version, 2);
    assert.deepEqual(await rules.get(PINS), second.row);
  });

  scenario(driver, 'who read an old version is told the present one', async ({ rules }) => {
    const { row } = await rules.put(FIRST);

    for (const expectVersion of [0, 2]) {
      const answer = await rules.put({ ...FIRST, doc: 'x', expectVersion });
      assert.deepEqual(answer, { outcome: 'conflict', row });
    }
    assert.deepEqual(await rules.get(PINS), row);
  });

  scenario(driver, 'of many who write at once, one does', async ({ rules }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => rules.put({ ...FIRST, doc: `{"writer":${i}}` })),
    );

    const stored = answers.filter((answer) => answer.outcome === 'stored');
    assert.equal(stored.length, 1);
    for (const answer of answers) assert.deepEqual(answer.row, stored[0]?.row);
  });

  scenario(driver, 'a tenant lists its own documents by name', async ({ rules }) => {
    for (const name of ['weights', 'grants', 'pins']) await rules.put({ ...FIRST, name });
    const { row } = await rules.put({ ...FIRST, doc: '{"v":2}', expectVersion: 1 });
    await rules.put({ ...FIRST, tenant: 'other', name: 'limits' });

    const rows = await rules.list({ tenant: 'acme' });

    assert.deepEqual(
      rows.map((rule) => rule.name),
      ['grants', 'pins', 'weights'],
    );
    assert.deepEqual(rows[1], row);
    assert.equal(await rules.get({ tenant: 'acme', name: 'limits' }), undefined);
  });

  scenario(driver, 'a large document in many scripts survives', async ({ rules }) => {
    const doc = JSON.stringify({ 规则: '允许 ✅ "quoted" \u0000 \n'.repeat(50_000) });

    await rules.put({ ...FIRST, name: '规则', doc, by: '管理员' });

    const row = await rules.get({ tenant: 'acme', name: '规则' });
    assert.ok(row?.doc === doc);
    assert.equal(row.by, '管理员');
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'documents survive', async (storage) => {
    const { row } = await storage.rules.put(FIRST);

    await using again = await reopen(storage);

    assert.deepEqual(await again.rules.get(PINS), row);
  });
}

function exerciseHistory(driver: Driver): void {
  scenario(driver, 'history comes newest first, and keeps a hundred', async ({ rules }) => {
    for (let version = 0; version < 101; version++) {
      const doc = `{"v":${version + 1}}`;
      await rules.put({ ...FIRST, doc, expectVersion: version, now: NOON + version });
    }
    await rules.put({ ...FIRST, tenant: 'other' });

    const recent = await rules.history({ ...PINS, limit: 2 });
    assert.deepEqual(recent, [
      { ...PINS, version: 101, doc: '{"v":101}', by: 'ops', at: NOON + 100 },
      { ...PINS, version: 100, doc: '{"v":100}', by: 'ops', at: NOON + 99 },
    ]);
    const all = await rules.history({ ...PINS, limit: 100 });
    assert.equal(all.length, 100);
    assert.equal(all.at(-1)?.version, 2);
  });
}
