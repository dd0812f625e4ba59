import { type EpochMs, iso } from '@agent-reach/core/kernel';

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** How long ago something was, in its largest unit: `3 s ago`. */
export function ago(at: EpochMs, now: EpochMs): string {
  return now - at < 1_000 ? 'now' : `${span(now - at)} ago`;
}

/** A span of time in its largest unit. */
export function span(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  return unit === undefined ? `${millis(ms)} ms` : `${Math.floor(ms / unit[1])} ${unit[0]}`;
}

/** Milliseconds: to a tenth where that says something. */
export function millis(ms: number): string {
  return ms < 10 ? String(Math.round(ms * 10) / 10) : String(Math.round(ms));
}

/** A moment for a table: with the year and the zone only where a program reads it. */
export function moment(at: EpochMs, isForPeople: boolean): string {
  const text = iso(at);
  return isForPeople ? text.slice(5, 19).replace('T', ' ') : text;
}

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads what RFC 3339 and `iso()` write; UTC where no zone is said. Undefined: not a moment.
 *
 * Counted here because the clock of the kernel only writes moments: days since 1970 by Howard
 * Hinnant's `days_from_civil`, whose years begin in March so that the leap day comes last.
 */
export function readMoment(text: string): EpochMs | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) {
    return undefined;
  }
  const ms = Number((match[7] ?? '').padEnd(3, '0'));
  const minutes = daysFromCivil(year, month, day) * 1_440 + hour * 60 + minute - zone(match[8]);
  return minutes * 60_000 + second * 1_000 + ms;
}

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function zone(text: string | undefined): number {
  if (text === undefined || text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6));
  return text.startsWith('-') ? -minutes : minutes;
}
