import type { EpochMs } from './clock.ts';

/** Parts of a calendar that begin anew at the same moment for everybody in a time zone. */
export const PERIODS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** From its first millisecond until the first of the next one. */
export interface Span {
  startsAt: EpochMs;
  endsAt: EpochMs;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a period is taken to be where no moment is given: a month has 30 days. */
export const PERIOD_MS: Readonly<Record<Period, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/** Whether the machine knows a time zone by this name. */
export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * The period of a calendar in which a moment lies. Days are those of the zone: one on which clocks
 * change has 23 or 25 hours. Weeks begin on Monday. Throws `RangeError` for an unknown zone.
 */
export function periodAt(at: EpochMs, period: Period, zone: string): Span {
  if (period === 'minute') return span(Math.floor(at / MINUTE_MS) * MINUTE_MS, MINUTE_MS);
  const local = at + offsetMs(at, zone);
  if (period === 'hour') return span(at - modulo(local, HOUR_MS), HOUR_MS);
  const day = Math.floor(local / DAY_MS);
  if (period === 'day') return days(day, day + 1, zone);
  if (period === 'week') {
    // The first day of 1970 was a Thursday.
    const monday = day - modulo(day + 3, 7);
    return days(monday, monday + 7, zone);
  }
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return days(dayOf(year, month), dayOf(year, month + 1), zone);
}

/**
 * The beginnings of periods around a moment, in their order: `before` ones before its own, its own,
 * `after` ones after it, and the end of the last.
 */
export function periodsAround(
  at: EpochMs,
  { period, zone, before, after }: { period: Period; zone: string; before: number; after: number },
): EpochMs[] {
  const own = periodAt(at, period, zone);
  const bounds = [own.startsAt, own.endsAt];
  for (let n = 0; n < before; n++) {
    bounds.unshift(periodAt((bounds[0] ?? at) - 1, period, zone).startsAt);
  }
  for (let n = 0; n < after; n++) {
    bounds.push(periodAt(bounds.at(-1) ?? at, period, zone).endsAt);
  }
  return bounds;
}

/** A moment as a clock on a wall there shows it: RFC 3339 with that zone's offset, to the second. */
export function isoIn(at: EpochMs, zone: string): string {
  const offset = offsetMs(at, zone);
  const [wall = ''] = new Date(at + offset).toISOString().split('.');
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${wall}${offset < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

function span(startsAt: EpochMs, ms: number): Span {
  return { startsAt, endsAt: startsAt + ms };
}

function days(first: number, next: number, zone: string): Span {
  return { startsAt: dawn(first, zone), endsAt: dawn(next, zone) };
}

function dayOf(year: number, month: number): number {
  return Date.UTC(year, month, 1) / DAY_MS;
}

/**
 * When a day begins in a zone. Where the clock is put back over midnight, it is 0:00 twice, and the
 * day begins with the first; where it is put on over midnight, it begins at the moment of that.
 */
function dawn(day: number, zone: string): EpochMs {
  const wall = day * DAY_MS;
  const offsets = [offsetMs(wall - DAY_MS, zone), offsetMs(wall + DAY_MS, zone)];
  const moments = offsets.map((offset) => wall - offset);
  const fitting = moments.filter((at) => at + offsetMs(at, zone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...moments);
}

/** By how much the clocks of a zone are ahead of UTC at a moment, whole minutes. */
function offsetMs(at: EpochMs, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 zones; making a format costs a hundred uses of it. */
const FORMATS_MAX = 100;

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    if (formats.size >= FORMATS_MAX) formats.clear();
    formats.set(zone, format);
  }
  return format;
}
