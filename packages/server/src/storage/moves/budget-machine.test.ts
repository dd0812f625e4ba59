import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestBudget, UNIT } from './testing/budget.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);
const JUNE = at('2026-06-01T00:00:00Z');

test('a day of a month may go at once, and then a part of the rest each minute', () => {
  const budget = new TestBudget({ now: JUNE });

  assert.equal(budget.spendMany(400), 333);
  const refused = budget.reserve();
  assert.equal(refused.verdict, 'paced');
  // 9,667 are left for 43,199 minutes: 0.2238 each, so 5 minutes for one.
  assert.equal(refused.retryMs, 5 * MINUTE);
  budget.now += refused.retryMs - 1;
  assert.equal(budget.spend(), false);
  budget.now += 1;
  assert.equal(budget.spend(), true);
});

test('a simulated month: steady work, a weekly report, and one who goes wild for ten hours', () => {
  const budget = new TestBudget({ now: JUNE });
  const lateDays = new Set<number>();
  for (let day = 1; day <= 30; day++) {
    budget.now = JUNE + (day - 1) * DAY;
    const isMonday = (day - 1) % 7 === 0;
    for (let n = 0; n < (isMonday ? 500 : 200); n++) if (!served(budget)) lateDays.add(day);
    if (day === 20) wild(budget, JUNE + 19 * DAY + 12 * HOUR);
  }

  // All other work is done on its own day.
  assert.deepEqual([...lateDays], []);
  // The steady work is 7,500; the one gone wild had what was there, and no more than its minutes.
  assert.equal(budget.used, 8_022);
});

/** Comes again when it is told to; whether it was served on its day. */
function served(budget: TestBudget): boolean {
  const dayEnds = (Math.floor(budget.now / DAY) + 1) * DAY;
  for (;;) {
    const { granted, id, retryMs } = budget.reserve();
    if (granted) return budget.charge(id);
    if (budget.now + retryMs >= dayEnds) return false;
    budget.now += retryMs;
  }
}

/** Asks ten times a minute for ten hours. */
function wild(budget: TestBudget, from: number): void {
  for (let minute = 0; minute < 600; minute++) {
    budget.now = from + minute * MINUTE;
    budget.spendMany(10);
  }
}

test('what quiet days leave flows on to the later ones, and not all of it at once', () => {
  const idle = new TestBudget({ now: JUNE });
  const busy = new TestBudget({ now: JUNE });
  for (const budget of [idle, busy]) budget.spend();
  busy.now = idle.now = JUNE + 20 * DAY;
  for (let day = 0; day < 20; day++) {
    busy.now = JUNE + day * DAY;
    busy.spendMany(333);
  }
  busy.now = JUNE + 20 * DAY;
  for (const budget of [idle, busy]) budget.spendMany(400);

  const [slow, fast] = [busy.reserve(3), idle.reserve(3)];
  assert.equal(slow.verdict, 'paced');
  assert.ok(fast.retryMs < slow.retryMs / 2, `${fast.retryMs} and ${slow.retryMs}`);
  // Almost nothing was used: four times the even rate at most, some 0.93 a minute.
  idle.now = JUNE + 30 * DAY - 10 * MINUTE;
  assert.equal(idle.spendMany(1_000), 333);
  idle.now += 9 * MINUTE;
  assert.equal(idle.spendMany(1_000), 8);
});

test('a period that is used up says when the next one begins, in its own zone', () => {
  const zone = 'Asia/Shanghai';
  const day = new TestBudget({
    now: at('2026-06-01T10:00:00Z'),
    period: 'day',
    zone,
    limit: 5,
    cap: 5,
  });

  assert.equal(day.spendMany(9), 5);
  const refused = day.reserve();
  assert.equal(refused.verdict, 'exhausted');
  assert.equal(refused.endsAt, at('2026-06-02T00:00:00+08:00'));
  assert.equal(refused.retryMs, 6 * HOUR);
  day.now = refused.endsAt - 1;
  assert.equal(day.spend(), false);
  day.now += 1;
  assert.equal(day.spendMany(9), 5);
});

test('where all of a period may go at once nothing is paced, in its first period and in later ones', () => {
  const minute = new TestBudget({ now: JUNE, period: 'minute', limit: 10, cap: 10 });

  for (let n = 0; n < 5; n++) {
    assert.equal(minute.spendMany(20), 10, `minute ${n}`);
    assert.equal(minute.reserve().verdict, 'exhausted');
    minute.now += MINUTE;
  }
});

test('a month on which clocks change has as many minutes as it has', () => {
  const zone = 'Europe/Berlin';
  for (const [from, hours] of [
    ['2026-03-01T00:00:00+01:00', 31 * 24 - 1],
    ['2026-10-01T00:00:00+02:00', 31 * 24 + 1],
  ] as const) {
    const budget = new TestBudget({ now: at(from), zone, limit: hours * 60, cap: 1, soft: 1 });
    const { startsAt, endsAt } = budget.standing;
    assert.equal(endsAt - startsAt, hours * HOUR);
    // One a minute: no minute is without, and none is left over.
    let granted = 0;
    for (; budget.now < endsAt; budget.now += MINUTE) if (budget.spend()) granted += 1;
    assert.equal(granted, hours * 60);
    assert.equal(budget.standing.used, 0, 'the next month has begun');
  }
});

test('a reservation is counted until it is settled, and what is not settled is given back', () => {
  const budget = new TestBudget({ now: JUNE, limit: 3, cap: 3, soft: 3 });
  const [one, two, three] = [budget.reserve(), budget.reserve(), budget.reserve(1, 30_000)];

  assert.equal(budget.reserve().verdict, 'exhausted');
  assert.equal(budget.charge(one.id), true);
  assert.equal(budget.charge(two.id, 0), true);
  assert.equal(budget.charge(two.id, 0), false);
  const { used, reserved } = budget.standing;
  assert.deepEqual([used / UNIT, reserved / UNIT], [1, 1]);
  assert.equal(budget.spend(), true);
  assert.equal(budget.spend(), false);
  budget.now += 30_000;
  assert.equal(budget.spend(), true);
  assert.equal(budget.charge(three.id), false);
  assert.equal(budget.used, 3);
});

test('who used more than was reserved leaves a debt, which is paid back before anybody goes on', () => {
  const budget = new TestBudget({ now: JUNE, limit: 43_200, cap: 10, soft: 43_200 });
  const { id } = budget.reserve(10);
  budget.charge(id, 15);

  assert.equal(budget.standing.tokens, -5 * UNIT);
  assert.equal(budget.reserve(1).verdict, 'paced');
  budget.now += 6 * MINUTE;
  assert.equal(budget.spend(), false, 'a little less than one a minute is left');
  budget.now += MINUTE;
  assert.equal(budget.spend(), true);
});

test('a debt over the limit is the next period’s, and no other one’s', () => {
  const budget = new TestBudget({ now: JUNE, limit: 10, cap: 10, soft: 10, period: 'day' });
  const { id } = budget.reserve(10);
  budget.charge(id, 13);

  budget.now += DAY;
  assert.equal(budget.spendMany(20), 7);
  budget.now += DAY;
  assert.equal(budget.spendMany(20), 10);
});

test('what began in one period is counted there, though it ends in the next', () => {
  const budget = new TestBudget({ now: JUNE + DAY - 1, limit: 2, cap: 2, soft: 2, period: 'day' });
  const { id } = budget.reserve();
  budget.now += 1;

  assert.equal(budget.spendMany(9), 2);
  assert.equal(budget.charge(id), true);
  assert.deepEqual([budget.used, budget.standing.reserved], [2, 0]);
});

test('a part of what is left may be carried over, and no more however long nobody asks', () => {
  const budget = new TestBudget({
    now: JUNE,
    limit: 100,
    cap: 200,
    soft: 100,
    carryMax: 20,
    period: 'day',
  });
  budget.spendMany(90);

  budget.now += DAY;
  assert.equal(budget.spendMany(200), 110);
  budget.now += 5 * DAY;
  assert.equal(budget.spendMany(200), 120);
  budget.now += DAY;
  assert.equal(budget.spendMany(200), 100);
});

test('the first that comes over the soft limit is told, once a period', () => {
  const budget = new TestBudget({ now: JUNE, limit: 10, cap: 10, soft: 8, period: 'day' });
  const told = Array.from({ length: 10 }, () => budget.reserve());

  assert.deepEqual(
    told.flatMap(({ isTold }, n) => (isTold ? [n + 1] : [])),
    [8],
  );
  budget.charge(told[9]?.id ?? 0, 0);
  assert.equal(budget.reserve().isTold, false);
  budget.now += DAY;
  const again = Array.from({ length: 10 }, () => budget.reserve().isTold);
  assert.equal(again.indexOf(true), 7);
});

test('another limit holds at once and keeps what was used', () => {
  const budget = new TestBudget({ now: JUNE, limit: 10, cap: 10, soft: 10, period: 'day' });
  budget.spendMany(10);

  budget.change({ limit: 12, cap: 12 });
  assert.equal(budget.spendMany(9), 2);
  budget.change({ limit: 5, cap: 5 });
  assert.equal(budget.reserve().verdict, 'exhausted');
  assert.equal(budget.used, 12);
});

test('a clock that goes back begins no period anew and adds no minute twice', () => {
  const budget = new TestBudget({ now: JUNE, limit: 10, cap: 10, soft: 10, period: 'day' });
  budget.spendMany(10);

  budget.now = JUNE - HOUR;
  assert.equal(budget.spend(), false);
  budget.now = JUNE + HOUR;
  assert.equal(budget.spend(), false);
});

test('a moment beyond all that the asker knows of does not begin the last period again and again', () => {
  const budget = new TestBudget({ now: JUNE, limit: 10, cap: 10, soft: 10, period: 'minute' });
  const { bounds } = budget.terms;
  const late = Object.defineProperty(budget, 'terms', {
    value: { ...budget.terms, bounds },
  });
  late.now = JUNE + HOUR;

  assert.equal(late.spendMany(30), 10);
  late.now += HOUR;
  assert.ok(late.spendMany(30) <= 10);
});
