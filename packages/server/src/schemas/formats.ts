import { isIPv4, isIPv6 } from 'node:net';
import type { FORMAT_NAMES } from './limits.ts';

type FormatName = (typeof FORMAT_NAMES)[number];

/**
 * Our own formats. Those of ajv-formats include expressions that backtrack; these look at the
 * length first and then take one pass.
 */
export const FORMATS: Readonly<Record<FormatName, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: (text) => text.length === DATE_CHARS && isDate(text),
  time: (text) => text.length <= TIME_CHARS_MAX && isTime(text),
  email: isEmail,
  uuid: (text) => text.length === 36 && UUID.test(text),
  uri: isUri,
  hostname: isHostname,
  ipv4: (text) => text.length <= 15 && isIPv4(text),
  ipv6: (text) => text.length <= 45 && !text.includes('%') && isIPv6(text),
};

const DATE_CHARS = 10;
/** `23:59:59.` with 9 digits, twice as many allowed, and `+23:59`. */
const TIME_CHARS_MAX = 33;
/** RFC 5321: 64 before the sign, 254 in all. */
const EMAIL_CHARS_MAX = 254;
const EMAIL_LOCAL_CHARS_MAX = 64;
const HOSTNAME_CHARS_MAX = 253;
const URI_CHARS_MAX = 2048;

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d\d:\d\d:\d\d(?:\.\d{1,18})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const EMAIL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i;
/** A scheme, then the characters of RFC 3986, with `%` only before two hex digits. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i;

/** RFC 3339; the `T` may be small, and a space is not one. */
function isDateTime(text: string): boolean {
  if (text.length > DATE_CHARS + 1 + TIME_CHARS_MAX) return false;
  if (text[DATE_CHARS] !== 'T' && text[DATE_CHARS] !== 't') return false;
  return isDate(text.slice(0, DATE_CHARS)) && isTime(text.slice(DATE_CHARS + 1));
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const ZERO = 0x30;

/** The number that two digits say, which are known to be some. */
function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

function isTime(text: string): boolean {
  if (!TIME.test(text)) return false;
  const hour = twoDigits(text, 0);
  const minute = twoDigits(text, 3);
  const second = twoDigits(text, 6);
  const isZulu = text.endsWith('Z') || text.endsWith('z');
  const zoneHour = isZulu ? 0 : twoDigits(text, text.length - 5);
  const zoneMinute = isZulu ? 0 : twoDigits(text, text.length - 2);
  if (hour > 23 || minute > 59 || zoneHour > 23 || zoneMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last of a day in UTC, whatever the zone calls it.
  const zone = (text.at(-6) === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute);
  return second === 60 && (hour * 60 + minute - zone + 1440) % 1440 === 1439;
}

/** The form that mail systems pass on: no quoted local part, no comment, no address literal. */
function isEmail(text: string): boolean {
  if (text.length > EMAIL_CHARS_MAX) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || local.length > EMAIL_LOCAL_CHARS_MAX || !EMAIL_LOCAL.test(local)) return false;
  const hasLooseDot = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  return !hasLooseDot && isHostname(text.slice(at + 1));
}

function isHostname(text: string): boolean {
  return text.length <= HOSTNAME_CHARS_MAX && text.split('.').every((label) => LABEL.test(label));
}

function isUri(text: string): boolean {
  return text.length <= URI_CHARS_MAX && URI.test(text);
}
