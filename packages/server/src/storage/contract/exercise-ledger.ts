import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { LedgerStore } from '../spi/ledger.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { exercisePace } from './exercise-pace.ts';

/** Idempotency keys and volatile counters. */
export function exerciseLedger(driver: Driver): void {
  suite('ledger: keys', () => {
    exerciseClaim(driver);
    exerciseLapse(driver);
    exerciseSettle(driver);
    exercisePrune(driver);
  });
  suite('ledger: counters', () => {
    exerciseSpend(driver);
    exercisePace(driver);
  });
}

const NAME = { scope: 'acme:shop', key: 'order-1' };
const CLAIM_MS = 3_000;
const TTL_MS = 86_400_000;

const CLAIM = {
  ...NAME,
  fingerprint: 'f1',
  pinned: '{"capability":"query.orders"}',
  token: 't1',
  claimMs: CLAIM_MS,
  ttlMs: TTL_MS,
  now: NOON,
};
const HOLD = { ...NAME, token: 't1' };

const CLAIMED = {
  fingerprint: 'f1',
  pinned: CLAIM.pinned,
  token: 't1',
  expiresAt: NOON + TTL_MS,
  state: 'claimed',
  claimEndsAt: NOON + CLAIM_MS,
} as const;
const { claimEndsAt: _, ...KNOWN } = CLAIMED;

function look(ledger: LedgerStore, now = NOON) {
  return ledger.lookup({ ...NAME, now });
}

function exerciseClaim(driver: Driver): void {
  scenario(driver, 'a key nobody used is absent', async ({ ledger }) => {
    assert.equal(await look(ledger), undefined);
  });

  scenario(driver, 'a claimed key is held, by whatever fingerprint', async ({ ledger }) => {
    assert.deepEqual(await ledger.claim(CLAIM), { outcome: 'claimed' });

    assert.deepEqual(await look(ledger), CLAIMED);
    const second = await ledger.claim({ ...CLAIM, token: 't2' });
    const other = await ledger.claim({ ...CLAIM, token: 't3', fingerprint: 'f2' });
    assert.deepEqual(second, { outcome: 'held', record: CLAIMED });
    assert.deepEqual(other, { outcome: 'held', record: CLAIMED });
    assert.deepEqual(await look(ledger), CLAIMED);
  });

  scenario(driver, 'of fifty who claim one key at once, one has it', async ({ ledger }) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ledger.claim({ ...CLAIM, token: `t${i}` })),
    );

    const held = answers.filter((answer) => answer.outcome === 'held');
    const winner = answers.findIndex((answer) => answer.outcome === 'claimed');
    assert.equal(held.length, 49);
    for (const { record } of held) assert.equal(record.token, `t${winner}`);
    assert.equal((await look(ledger))?.token, `t${winner}`);
  });

  scenario(driver, 'scopes share no keys', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    const other = await ledger.claim({ ...CLAIM, scope: 'acme:shop:2', token: 't2' });

    assert.deepEqual(other, { outcome: 'claimed' });
    assert.equal(await ledger.lookup({ ...NAME, scope: 'other:shop', now: NOON }), undefined);
  });

  scenario(driver, 'a key is absent from the moment it expires', async ({ ledger }) => {
    await ledger.claim({ ...CLAIM, ttlMs: 5_000 });

    assert.notEqual(await look(ledger, NOON + 4_999), undefined);
    assert.equal(await look(ledger, NOON + 5_000), undefined);
    const again = await ledger.claim({ ...CLAIM, token: 't2', now: NOON + 5_000 });
    assert.deepEqual(again, { outcome: 'claimed' });
    assert.equal(await ledger.extend({ ...HOLD, claimMs: 9, now: NOON + 5_000 }), false);
  });

  scenario(driver, 'what is being worked on does not expire', async ({ ledger }) => {
    await ledger.claim({ ...CLAIM, ttlMs: 1 });
    assert.equal((await look(ledger, NOON + 1))?.state, 'claimed');

    await ledger.extend({ ...HOLD, claimMs: TTL_MS, now: NOON + 1 });

    const record = await look(ledger, NOON + TTL_MS);
    assert.equal(record?.state, 'claimed');
    assert.equal(record?.expiresAt, NOON + 1 + TTL_MS);
  });

  scenario(driver, 'long names and large texts survive', async ({ ledger }) => {
    const name = { scope: `${'s'.repeat(200)}:订单`, key: '!#~'.repeat(85) };
    const answer = JSON.stringify({ 结果: '好 🎉'.repeat(100_000), lone: '\ud800' });
    await ledger.claim({ ...CLAIM, ...name, pinned: '{"能力":"订单"}' });

    await ledger.settle({
      ...name,
      token: 't1',
      verdict: { state: 'done', answer },
      ttlMs: TTL_MS,
      now: NOON,
    });

    const record = await ledger.lookup({ ...name, now: NOON });
    assert.ok(record?.state === 'done' && record.answer === answer);
    assert.equal(record.pinned, '{"能力":"订单"}');
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'a key survives, and keeps others off', async (storage) => {
    await storage.ledger.claim(CLAIM);

    await using again = await reopen(storage);

    const answer = await again.ledger.claim({ ...CLAIM, token: 't2' });
    assert.ok(answer.outcome === 'held' && answer.record.token === 't1');
  });
}

function exerciseLapse(driver: Driver): void {
  const lapsed = NOON + CLAIM_MS;

  scenario(driver, 'a claim that lapsed reads as unknown', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    assert.equal((await look(ledger, lapsed - 1))?.state, 'claimed');
    assert.deepEqual(await look(ledger, lapsed), { ...KNOWN, state: 'unknown' });
    const answer = await ledger.claim({ ...CLAIM, token: 't2', now: lapsed });
    assert.deepEqual(answer, { outcome: 'held', record: { ...KNOWN, state: 'unknown' } });
  });

  scenario(driver, 'an unknown key is taken over by its token', async ({ ledger }) => {
    await ledger.claim(CLAIM);
    const over = { ...CLAIM, token: 't2', fingerprint: 'f2', pinned: '{}', now: lapsed };

    const wrong = await ledger.claim({ ...over, over: 't0' });
    assert.equal(wrong.outcome, 'held');
    assert.deepEqual(await ledger.claim({ ...over, over: 't1' }), { outcome: 'claimed' });

    assert.deepEqual(await look(ledger, lapsed), {
      fingerprint: 'f2',
      pinned: '{}',
      token: 't2',
      expiresAt: lapsed + TTL_MS,
      state: 'claimed',
      claimEndsAt: lapsed + CLAIM_MS,
    });
    const late = { ...HOLD, verdict: { state: 'done', answer: '1' }, ttlMs: 1 } as const;
    assert.equal(await ledger.settle({ ...late, now: lapsed }), false);
    assert.equal(await ledger.extend({ ...HOLD, claimMs: 1, now: lapsed }), false);
    assert.equal((await look(ledger, lapsed))?.token, 't2');
  });

  scenario(driver, 'of many who take one key over, one does', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ledger.claim({ ...CLAIM, token: `new-${i}`, over: 't1', now: lapsed }),
      ),
    );

    assert.equal(answers.filter((answer) => answer.outcome === 'claimed').length, 1);
  });

  scenario(driver, 'nobody is taken over while at work, or when done', async ({ ledger }) => {
    await ledger.claim(CLAIM);
    const over = { ...CLAIM, token: 't2', over: 't1' };
    assert.equal((await ledger.claim({ ...over, now: lapsed - 1 })).outcome, 'held');

    const verdict = { state: 'done', answer: '{}' } as const;
    await ledger.settle({ ...HOLD, verdict, ttlMs: TTL_MS, now: NOON });

    assert.equal((await ledger.claim({ ...over, now: lapsed })).outcome, 'held');
  });

  scenario(driver, 'a claim is kept alive, and its own lapsed one revived', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    assert.equal(await ledger.extend({ ...HOLD, claimMs: 9_000, now: NOON + 1 }), true);
    assert.deepEqual(await look(ledger, lapsed), { ...CLAIMED, claimEndsAt: NOON + 9_001 });
    assert.equal(await ledger.extend({ ...HOLD, claimMs: 1_000, now: NOON + 20_000 }), true);
    assert.equal((await look(ledger, NOON + 20_999))?.state, 'claimed');
    assert.equal(await ledger.extend({ ...HOLD, token: 't2', claimMs: 1, now: NOON }), false);
    assert.equal(await ledger.extend({ ...HOLD, key: 'no', claimMs: 1, now: NOON }), false);
  });
}

function exerciseSettle(driver: Driver): void {
  const done = { ...HOLD, verdict: { state: 'done', answer: '{"n":1}' }, ttlMs: 60_000 } as const;

  scenario(driver, 'the first verdict is kept, from then for its time', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    assert.equal(await ledger.settle({ ...done, now: NOON + 10 }), true);

    const record = { ...KNOWN, expiresAt: NOON + 60_010, state: 'done', answer: '{"n":1}' };
    assert.deepEqual(await look(ledger), record);
    const second = { ...done, verdict: { state: 'done', answer: '{"n":2}' } } as const;
    assert.equal(await ledger.settle({ ...second, now: NOON + 11 }), false);
    const free = { ...done, verdict: { state: 'free' } } as const;
    assert.equal(await ledger.settle({ ...free, now: NOON + 11 }), false);
    assert.deepEqual(await look(ledger), record);
    const repeat = await ledger.claim({ ...CLAIM, token: 't2' });
    assert.deepEqual(repeat, { outcome: 'held', record });
    assert.equal(await look(ledger, NOON + 60_010), undefined);
  });

  scenario(driver, 'only the holder settles', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    assert.equal(await ledger.settle({ ...done, token: 't2', now: NOON }), false);
    assert.equal(await ledger.settle({ ...done, key: 'order-2', now: NOON }), false);
    assert.equal(await ledger.settle({ ...done, scope: 'other:shop', now: NOON }), false);
    assert.deepEqual(await look(ledger), CLAIMED);
  });

  scenario(driver, 'a late verdict counts while nobody took over', async ({ ledger }) => {
    await ledger.claim(CLAIM);
    await ledger.claim({ ...CLAIM, token: 't2', now: NOON + CLAIM_MS });

    assert.equal(await ledger.settle({ ...done, now: NOON + CLAIM_MS + 1 }), true);

    assert.equal((await look(ledger, NOON + CLAIM_MS + 1))?.state, 'done');
  });

  scenario(driver, 'a key that is freed never was', async ({ ledger }) => {
    await ledger.claim(CLAIM);

    assert.equal(await ledger.settle({ ...done, verdict: { state: 'free' }, now: NOON }), true);

    assert.equal(await look(ledger), undefined);
    assert.equal(await ledger.settle({ ...done, now: NOON }), false);
    const again = await ledger.claim({ ...CLAIM, token: 't2', fingerprint: 'f2' });
    assert.deepEqual(again, { outcome: 'claimed' });
  });

  scenario(driver, 'an unknown end is an end, and can be taken over', async ({ ledger }) => {
    await ledger.claim(CLAIM);
    const unknown = { ...done, verdict: { state: 'unknown' } } as const;

    assert.equal(await ledger.settle({ ...unknown, now: NOON }), true);

    const record = { ...KNOWN, expiresAt: NOON + 60_000, state: 'unknown' };
    assert.deepEqual(await look(ledger), record);
    assert.equal(await ledger.settle({ ...done, now: NOON }), false);
    const over = await ledger.claim({ ...CLAIM, token: 't2', over: 't1' });
    assert.deepEqual(over, { outcome: 'claimed' });
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'a verdict survives', async (storage) => {
    await storage.ledger.claim(CLAIM);
    await storage.ledger.settle({ ...done, now: NOON });

    await using again = await reopen(storage);

    const record = { ...KNOWN, expiresAt: NOON + 60_000, state: 'done', answer: '{"n":1}' };
    assert.deepEqual(await look(again.ledger), record);
  });
}

function exercisePrune(driver: Driver): void {
  scenario(driver, 'prune forgets expired keys, at most so many', async ({ ledger }) => {
    for (const [i, ttlMs] of [5_000, 6_000, 7_000, 90_000].entries()) {
      await ledger.claim({ ...CLAIM, key: `k${i}`, token: `t${i}`, claimMs: 1, ttlMs });
    }

    assert.equal(await ledger.prune({ limit: 10, now: NOON + 4_999 }), 0);
    assert.equal(await ledger.prune({ limit: 2, now: NOON + 7_000 }), 2);
    assert.equal(await ledger.prune({ limit: 2, now: NOON + 7_000 }), 1);
    assert.equal(await ledger.prune({ limit: 2, now: NOON + 7_000 }), 0);
    assert.notEqual(await ledger.lookup({ ...NAME, key: 'k3', now: NOON }), undefined);
  });
}

function exerciseSpend(driver: Driver): void {
  const spend = { name: 'acme:qps', max: 10, ttlMs: 1_000, now: NOON };

  scenario(driver, 'an amount is granted up to the bound, or refused whole', async (s) => {
    const of = (amount: number) => s.ledger.spend({ ...spend, amount });

    assert.deepEqual(await of(6), { granted: true, total: 6 });
    assert.deepEqual(await of(5), { granted: false, total: 6 });
    assert.deepEqual(await of(4), { granted: true, total: 10 });
    assert.deepEqual(await of(1), { granted: false, total: 10 });
    assert.deepEqual(await of(0), { granted: true, total: 10 });
  });

  scenario(driver, 'what is refused at first leaves nothing behind', async ({ ledger }) => {
    const over = await ledger.spend({ ...spend, amount: 11 });
    const fits = await ledger.spend({ ...spend, amount: 10, now: NOON + 999 });

    assert.deepEqual(over, { granted: false, total: 0 });
    assert.deepEqual(fits, { granted: true, total: 10 });
  });

  scenario(driver, 'a count lives from its first use, not from its last', async ({ ledger }) => {
    await ledger.spend({ ...spend, amount: 5 });
    await ledger.spend({ ...spend, amount: 5, now: NOON + 900 });

    const before = await ledger.spend({ ...spend, amount: 1, now: NOON + 999 });
    const after = await ledger.spend({ ...spend, amount: 1, now: NOON + 1_000 });

    assert.equal(before.granted, false);
    assert.deepEqual(after, { granted: true, total: 1 });
  });

  scenario(driver, 'names are counted apart, and all together never exceed', async (s) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        s.ledger.spend({ ...spend, name: i % 2 === 0 ? 'a' : 'b', amount: 1 }),
      ),
    );

    assert.equal(answers.filter((answer) => answer.granted).length, 20);
  });
}
