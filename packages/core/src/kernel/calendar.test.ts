import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoIn, isTimeZone, type Period, periodAt, PERIODS, periodsAround } from './calendar.ts';
import { iso } from './clock.ts';

const at = (text: string) => Date.parse(text);

function shown(moment: string, period: Period, zone: string): string[] {
  const { startsAt, endsAt } = periodAt(at(moment), period, zone);
  return [isoIn(startsAt, zone), isoIn(endsAt, zone)];
}

const hours = ({ startsAt, endsAt }: { startsAt: number; endsAt: number }) =>
  (endsAt - startsAt) / 3_600_000;

test('periods begin where the clocks of their zone say so', () => {
  const moment = '2026-11-30T17:20:30Z';

  assert.deepEqual(shown(moment, 'month', 'UTC'), [
    '2026-11-01T00:00:00+00:00',
    '2026-12-01T00:00:00+00:00',
  ]);
  assert.deepEqual(shown(moment, 'month', 'Asia/Shanghai'), [
    '2026-12-01T00:00:00+08:00',
    '2027-01-01T00:00:00+08:00',
  ]);
  assert.deepEqual(shown(moment, 'week', 'UTC'), [
    '2026-11-30T00:00:00+00:00',
    '2026-12-07T00:00:00+00:00',
  ]);
  assert.deepEqual(shown('2026-11-29T23:59:59Z', 'week', 'UTC'), [
    '2026-11-23T00:00:00+00:00',
    '2026-11-30T00:00:00+00:00',
  ]);
  assert.deepEqual(shown(moment, 'day', 'America/New_York'), [
    '2026-11-30T00:00:00-05:00',
    '2026-12-01T00:00:00-05:00',
  ]);
  assert.deepEqual(shown(moment, 'hour', 'Asia/Kolkata'), [
    '2026-11-30T22:00:00+05:30',
    '2026-11-30T23:00:00+05:30',
  ]);
  assert.deepEqual(shown(moment, 'minute', 'Asia/Kolkata'), [
    '2026-11-30T22:50:00+05:30',
    '2026-11-30T22:51:00+05:30',
  ]);
});

test('a day on which clocks change is an hour shorter or longer, and so is its month', () => {
  const zone = 'Europe/Berlin';

  assert.equal(hours(periodAt(at('2026-03-29T12:00:00Z'), 'day', zone)), 23);
  assert.equal(hours(periodAt(at('2026-10-25T12:00:00Z'), 'day', zone)), 25);
  assert.equal(hours(periodAt(at('2026-03-10T12:00:00Z'), 'month', zone)), 31 * 24 - 1);
  assert.equal(hours(periodAt(at('2026-10-10T12:00:00Z'), 'month', zone)), 31 * 24 + 1);
  assert.equal(hours(periodAt(at('2026-10-25T12:00:00Z'), 'week', zone)), 7 * 24 + 1);
});

test('a day without a midnight begins when its clocks are put on', () => {
  // In Beirut it is 0:00 of the 29th for no moment: the clocks go from 23:59 to 1:00.
  const { startsAt, endsAt } = periodAt(at('2026-03-29T12:00:00Z'), 'day', 'Asia/Beirut');

  assert.equal(iso(startsAt), '2026-03-28T22:00:00.000Z');
  assert.equal(hours({ startsAt, endsAt }), 23);
  assert.equal(periodAt(startsAt - 1, 'day', 'Asia/Beirut').endsAt, startsAt);
});

test('a day with two midnights begins with the first', () => {
  // In Havana the clocks go from 0:59 back to 0:00.
  const { startsAt, endsAt } = periodAt(at('2026-11-01T12:00:00Z'), 'day', 'America/Havana');

  assert.equal(iso(startsAt), '2026-11-01T04:00:00.000Z');
  assert.equal(hours({ startsAt, endsAt }), 25);
});

test('every moment of two years lies in its period, and periods leave no gap', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Asia/Beirut', 'America/Havana', 'Australia/Sydney'];
  for (const zone of zones) {
    for (const period of PERIODS) {
      for (let t = at('2026-01-01T00:30:00Z'); t < at('2028-01-01T00:00:00Z'); t += 47_000_000) {
        const { startsAt, endsAt } = periodAt(t, period, zone);
        const where = `${period} of ${zone} at ${iso(t)}`;
        assert.ok(startsAt <= t && t < endsAt, where);
        assert.equal(periodAt(endsAt, period, zone).startsAt, endsAt, where);
        assert.equal(startsAt % 60_000, 0, where);
      }
    }
  }
});

test('periods around a moment follow each other', () => {
  const bounds = periodsAround(at('2026-12-31T20:00:00Z'), {
    period: 'month',
    zone: 'UTC',
    before: 1,
    after: 2,
  });

  assert.deepEqual(
    bounds.map((bound) => iso(bound).slice(0, 10)),
    ['2026-11-01', '2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01'],
  );
});

test('a zone that nobody knows is none', () => {
  assert.equal(isTimeZone('Asia/Shanghai'), true);
  assert.equal(isTimeZone('Asia/Atlantis'), false);
  assert.equal(isTimeZone(''), false);
});
