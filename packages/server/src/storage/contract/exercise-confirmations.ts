import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { LedgerStore } from '../spi/ledger.ts';
import { type Driver, NOON, scenario } from './driver.ts';

/** Confirmations: opened once, decided once, used once. */
export function exerciseConfirmations(driver: Driver): void {
  suite('ledger: confirmations', () => {
    exerciseOpening(driver);
    exerciseDeciding(driver);
    exerciseUsing(driver);
    exerciseRaces(driver);
    exerciseForgetting(driver);
  });
}

const NAME = { tenant: 'acme', id: 'cfm_1' };
const TTL_MS = 300_000;
const KEEP_MS = 86_400_000;
const OPEN = {
  ...NAME,
  principal: 'shop',
  digest: 'd1',
  about: '{"capability":"refund"}',
  ttlMs: TTL_MS,
  keepMs: KEEP_MS,
  pendingMax: 100,
  now: NOON,
};
const CODED = { ...OPEN, codeHash: 'h1' };
const USE = { ...NAME, principal: 'shop', digest: 'd1', triesMax: 5, now: NOON + 1 };
const CODE = { ...USE, codeHash: 'h1' };
const ROW = {
  ...NAME,
  principal: 'shop',
  digest: 'd1',
  about: OPEN.about,
  state: 'pending',
  tries: 0,
  createdAt: NOON,
  expiresAt: NOON + TTL_MS,
} as const;
const DECISION = '{"by":"alice","reason":"好 \\u0000"}';

async function stateOf(ledger: LedgerStore, now = NOON + 1) {
  return (await ledger.findConfirmation({ ...NAME, now }))?.row.state;
}

function approve(ledger: LedgerStore, now = NOON + 1) {
  return ledger.decideConfirmation({ ...NAME, verdict: 'approved', decision: DECISION, now });
}

function refuse(ledger: LedgerStore, now = NOON + 1) {
  return ledger.decideConfirmation({ ...NAME, verdict: 'refused', decision: DECISION, now });
}

function exerciseOpening(driver: Driver): void {
  scenario(driver, 'what was opened is found with what it has left', async ({ ledger }) => {
    assert.equal(await ledger.findConfirmation({ ...NAME, now: NOON }), undefined);
    assert.equal(await ledger.openConfirmation(OPEN), 'opened');

    assert.deepEqual(await ledger.findConfirmation({ ...NAME, now: NOON + 1 }), {
      row: ROW,
      leftMs: TTL_MS - 1,
    });
    const late = await ledger.findConfirmation({ ...NAME, now: NOON + TTL_MS + 9 });
    assert.deepEqual(late, { row: ROW, leftMs: 0 });
    assert.equal(await ledger.findConfirmation({ ...NAME, tenant: 'other', now: NOON }), undefined);
  });

  scenario(driver, 'the one with a code keeps its hash', async ({ ledger }) => {
    await ledger.openConfirmation({ ...CODED, about: '{"说明":"退款 🎉"}' });

    const found = await ledger.findConfirmation({ ...NAME, now: NOON });
    assert.deepEqual(found?.row, { ...ROW, codeHash: 'h1', about: '{"说明":"退款 🎉"}' });
  });

  scenario(
    driver,
    'what no confirmation is opened with is refused before anything is done',
    async (s) => {
      const { ledger } = s;
      const century = 3_155_760_000_000;
      for (const wrong of [
        { ttlMs: -1 },
        { ttlMs: 0.5 },
        { ttlMs: century + 1 },
        { keepMs: -1 },
        { keepMs: Number.NaN },
        { keepMs: century + 1 },
        { pendingMax: -1 },
        { pendingMax: 1.5 },
      ]) {
        await assert.rejects(ledger.openConfirmation({ ...OPEN, ...wrong }), JSON.stringify(wrong));
      }
      assert.equal(await stateOf(ledger), undefined);
      const longest = { ...OPEN, ttlMs: century, keepMs: 0 };
      assert.equal(await ledger.openConfirmation(longest), 'opened');
    },
  );

  scenario(driver, 'a principal has a bounded number open, whatever came of others', async (s) => {
    const { ledger } = s;
    const open = (n: number, more: object = {}) =>
      ledger.openConfirmation({ ...OPEN, id: `cfm_${n}`, pendingMax: 2, ...more });
    await open(1);
    assert.equal(await open(2), 'opened');
    assert.equal(await open(3), 'full');
    assert.equal(await ledger.findConfirmation({ ...NAME, id: 'cfm_3', now: NOON }), undefined);
    assert.equal(await open(4, { principal: 'other' }), 'opened');
    assert.equal(await open(5, { tenant: 'other' }), 'opened');

    await refuse(ledger);

    assert.equal(await open(6), 'opened');
    assert.equal(await open(7, { now: NOON + TTL_MS - 1 }), 'full');
    assert.equal(await open(7, { now: NOON + TTL_MS }), 'opened');
  });

  scenario(driver, 'a tenant lists what is open, the oldest first', async ({ ledger }) => {
    for (const [n, principal] of ['shop', 'web', 'shop', 'shop', 'shop'].entries()) {
      const id = `cfm_${n}`;
      await ledger.openConfirmation({ ...OPEN, id, principal, now: NOON + 10 - n });
    }
    await ledger.openConfirmation({ ...OPEN, tenant: 'other' });
    await ledger.openConfirmation({ ...OPEN, id: 'cfm_short', ttlMs: 20, now: NOON });
    await ledger.consumeConfirmation({ ...USE, id: 'cfm_4' });
    const name = { tenant: 'acme', id: 'cfm_3' };
    await ledger.decideConfirmation({ ...name, verdict: 'refused', decision: '{}', now: NOON + 9 });
    const list = async (query: object) => {
      const rows = await ledger.listConfirmations({
        tenant: 'acme',
        limit: 10,
        now: NOON + 30,
        ...query,
      });
      return rows.map(({ id }) => id);
    };

    assert.deepEqual(await list({}), ['cfm_4', 'cfm_2', 'cfm_1', 'cfm_0']);
    assert.deepEqual(await list({ limit: 2 }), ['cfm_4', 'cfm_2']);
    assert.deepEqual(await list({ principal: 'shop' }), ['cfm_4', 'cfm_2', 'cfm_0']);
    assert.deepEqual(await list({ principal: 'shop', limit: 1 }), ['cfm_4']);
    assert.deepEqual(await list({ principal: 'nobody' }), []);
    assert.deepEqual(await list({ now: NOON + 19 }), [
      'cfm_short',
      'cfm_4',
      'cfm_2',
      'cfm_1',
      'cfm_0',
    ]);
  });
}

function exerciseDeciding(driver: Driver): void {
  scenario(driver, 'it is decided once, and approval may be taken back', async ({ ledger }) => {
    assert.equal(await approve(ledger), 'unknown');
    await ledger.openConfirmation(OPEN);

    assert.equal(await approve(ledger), 'decided');

    const found = await ledger.findConfirmation({ ...NAME, now: NOON });
    assert.deepEqual(found?.row, { ...ROW, state: 'approved', decision: DECISION });
    assert.equal(await approve(ledger), 'late');
    assert.equal(await refuse(ledger), 'decided');
    assert.equal(await refuse(ledger), 'late');
    assert.equal(await approve(ledger), 'late');
    assert.equal(await ledger.consumeConfirmation(USE), 'refused');
  });

  scenario(driver, 'nobody decides what has expired', async ({ ledger }) => {
    await ledger.openConfirmation(OPEN);

    assert.equal(await approve(ledger, NOON + TTL_MS), 'late');
    assert.equal(await refuse(ledger, NOON + TTL_MS), 'late');
    assert.equal(await approve(ledger, NOON + TTL_MS - 1), 'decided');
  });

  scenario(driver, 'nobody approves what has a code, but it may be refused', async ({ ledger }) => {
    await ledger.openConfirmation(CODED);

    assert.equal(await approve(ledger), 'late');
    assert.equal(await refuse(ledger), 'decided');
    assert.equal(await ledger.consumeConfirmation(CODE), 'refused');
  });
}

function exerciseUsing(driver: Driver): void {
  scenario(driver, 'what nobody approved is pending, and no try is counted', async ({ ledger }) => {
    assert.equal(await ledger.consumeConfirmation(USE), 'unknown');
    await ledger.openConfirmation(OPEN);
    for (let n = 0; n < 9; n++) assert.equal(await ledger.consumeConfirmation(USE), 'pending');

    await approve(ledger);

    assert.equal(await ledger.consumeConfirmation(USE), 'consumed');
    assert.equal(await ledger.consumeConfirmation(USE), 'used');
    assert.equal(await refuse(ledger), 'late');
  });

  scenario(driver, 'a code is used without anybody’s approval, once', async ({ ledger }) => {
    await ledger.openConfirmation(CODED);

    assert.equal(await ledger.consumeConfirmation(CODE), 'consumed');
    assert.equal(await ledger.consumeConfirmation(CODE), 'used');
    assert.equal(await ledger.consumeConfirmation({ ...CODE, codeHash: 'h2' }), 'used');
  });

  scenario(driver, 'another principal finds nothing, and spends no try', async ({ ledger }) => {
    await ledger.openConfirmation(CODED);
    for (let n = 0; n < 9; n++) {
      const answer = await ledger.consumeConfirmation({ ...CODE, principal: 'thief' });
      assert.equal(answer, 'unknown');
    }

    assert.equal(await ledger.consumeConfirmation(CODE), 'consumed');
  });

  scenario(driver, 'it covers its digest alone, approved or not', async ({ ledger }) => {
    await ledger.openConfirmation(OPEN);
    assert.equal(await ledger.consumeConfirmation({ ...USE, digest: 'd2' }), 'wrong');
    await approve(ledger);
    assert.equal(await ledger.consumeConfirmation({ ...USE, digest: 'd2' }), 'wrong');
    assert.equal(await ledger.consumeConfirmation({ ...USE, codeHash: 'h1' }), 'wrong');

    const found = await ledger.findConfirmation({ ...NAME, now: NOON });
    assert.deepEqual([found?.row.state, found?.row.tries], ['approved', 3]);
    assert.equal(await ledger.consumeConfirmation(USE), 'consumed');
  });

  scenario(driver, 'the fifth wrong try ends it, the fourth does not', async ({ ledger }) => {
    for (const id of ['cfm_1', 'cfm_2']) await ledger.openConfirmation({ ...CODED, id });
    const wrong = async (id: string, codeHash: string | undefined) => {
      const { codeHash: _, ...bare } = CODE;
      const move = { ...bare, id, ...(codeHash === undefined ? {} : { codeHash }) };
      assert.equal(await ledger.consumeConfirmation(move), 'wrong');
    };
    for (const code of ['a', 'b', undefined, 'c']) {
      await wrong('cfm_1', code);
      await wrong('cfm_2', code);
    }
    await wrong('cfm_2', 'd');

    assert.equal(await ledger.consumeConfirmation(CODE), 'consumed');
    assert.equal(await ledger.consumeConfirmation({ ...CODE, id: 'cfm_2' }), 'dead');
    const open = await ledger.listConfirmations({ tenant: 'acme', limit: 9, now: NOON + 1 });
    assert.deepEqual(open, []);
  });

  scenario(driver, 'it is good a millisecond before its end, and not at it', async ({ ledger }) => {
    for (const id of ['cfm_1', 'cfm_2']) await ledger.openConfirmation({ ...CODED, id });

    const at = { ...CODE, now: NOON + TTL_MS };
    assert.equal(await ledger.consumeConfirmation(at), 'expired');
    assert.equal(await stateOf(ledger), 'pending');
    assert.equal(await ledger.consumeConfirmation({ ...CODE, now: at.now - 1 }), 'consumed');
    const approved = { ...CODE, id: 'cfm_2', digest: 'd2', now: at.now };
    assert.equal(await ledger.consumeConfirmation(approved), 'expired');
  });

  scenario(driver, 'the store may go by its own clock', async ({ ledger }) => {
    const now = 'store' as const;
    await ledger.openConfirmation({ ...OPEN, now });
    const found = await ledger.findConfirmation({ ...NAME, now });
    assert.ok(found !== undefined && found.leftMs > TTL_MS - 60_000 && found.leftMs <= TTL_MS);
    const decision = { verdict: 'approved', decision: '{}' } as const;
    assert.equal(await ledger.decideConfirmation({ ...NAME, ...decision, now }), 'decided');
    const open = await ledger.listConfirmations({ tenant: 'acme', limit: 9, now });
    assert.equal(open.length, 1);
    assert.equal(await ledger.consumeConfirmation({ ...USE, now }), 'consumed');
    assert.equal(await ledger.pruneConfirmations({ limit: 9, now }), 0);
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'approvals survive', async (storage) => {
    await storage.ledger.openConfirmation(OPEN);
    await approve(storage.ledger);

    await using again = await reopen(storage);

    assert.equal(await again.ledger.consumeConfirmation(USE), 'consumed');
  });
}

function exerciseRaces(driver: Driver): void {
  scenario(driver, 'of fifty who use one at once, one does', async ({ ledger }) => {
    await ledger.openConfirmation(OPEN);
    await approve(ledger);

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ledger.consumeConfirmation(USE)),
    );

    assert.equal(answers.filter((answer) => answer === 'consumed').length, 1);
    assert.equal(answers.filter((answer) => answer === 'used').length, 49);
  });

  scenario(driver, 'of fifty guesses at once, five count', async ({ ledger }) => {
    await ledger.openConfirmation(CODED);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        ledger.consumeConfirmation({ ...CODE, codeHash: `guess ${n}` }),
      ),
    );

    assert.equal(answers.filter((answer) => answer === 'wrong').length, 5);
    assert.equal(answers.filter((answer) => answer === 'dead').length, 45);
    assert.equal(await ledger.consumeConfirmation(CODE), 'dead');
  });

  scenario(driver, 'of those who open, use and refuse at once, each bound holds', async (s) => {
    const { ledger } = s;
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ledger.openConfirmation({ ...OPEN, id: `cfm_${n}`, pendingMax: 5 }),
      ),
    );
    assert.equal(opened.filter((answer) => answer === 'opened').length, 5);

    const [row] = await ledger.listConfirmations({ tenant: 'acme', limit: 1, now: NOON });
    const name = { tenant: 'acme', id: row?.id ?? '' };
    const decision = { verdict: 'approved', decision: '{}', now: NOON } as const;
    await ledger.decideConfirmation({ ...name, ...decision });
    const [used, refused] = await Promise.all([
      ledger.consumeConfirmation({ ...USE, ...name }),
      ledger.decideConfirmation({ ...name, ...decision, verdict: 'refused' }),
    ]);

    assert.equal(used === 'consumed', refused === 'late', `${used}, ${refused}`);
  });
}

function exerciseForgetting(driver: Driver): void {
  scenario(driver, 'each is forgotten once it was kept for its time', async ({ ledger }) => {
    for (let n = 0; n < 5; n++) {
      await ledger.openConfirmation({ ...CODED, id: `cfm_${n}`, now: NOON + n });
    }
    const end = NOON + TTL_MS + KEEP_MS;
    await ledger.consumeConfirmation({ ...CODE, id: 'cfm_0' });

    assert.equal(await ledger.pruneConfirmations({ limit: 9, now: end - 1 }), 0);
    assert.equal(await ledger.pruneConfirmations({ limit: 9, now: end }), 1);
    assert.equal(await ledger.consumeConfirmation({ ...CODE, id: 'cfm_0' }), 'unknown');
    assert.equal(await ledger.consumeConfirmation({ ...CODE, now: end }), 'expired');
    assert.equal(await ledger.pruneConfirmations({ limit: 2, now: end + 9 }), 2);
    assert.equal(await ledger.pruneConfirmations({ limit: 9, now: end + 9 }), 2);
    assert.equal(await ledger.pruneConfirmations({ limit: 9, now: end + 9 }), 0);
    assert.equal(await ledger.findConfirmation({ ...NAME, now: NOON }), undefined);
  });
}
