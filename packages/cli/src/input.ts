import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseJson, ReachError } from '@agent-reach/core';
import { type EpochMs, parseDurationMs } from '@agent-reach/core/kernel';
import { UsageError } from './failure.ts';
import { readMoment } from './render/moments.ts';
import type { World } from './world.ts';

/** The gateway's own default: what is deeper would be refused there. */
const DEPTH_MAX = 64;

/** Reads JSON that stands on the command line. */
export function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text, { depthMax: DEPTH_MAX });
  } catch (error) {
    if (ReachError.is(error)) throw new UsageError(`${what}: ${error.message}`);
    throw error;
  }
}

/** The text behind `-` (standard input) or a path. */
export async function readSource(source: string, world: World): Promise<string> {
  if (source === '-') return world.readInput();
  try {
    return await readFile(resolve(world.cwd, source), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageError(`${source} cannot be read: ${why}.`);
  }
}

/**
 * The parameters of a call: a JSON text, `@file` or `-`, and single ones on top of it: `name=text`
 * or `name:=json`. Nothing is guessed: a number that stands behind `=` stays a text, because only
 * the capability's schema knows which of the two it wants.
 */
export async function readParams(
  given: string | undefined,
  singles: readonly string[],
  world: World,
): Promise<unknown> {
  const whole =
    given === undefined ? undefined : readJson(await expand(given, world), 'The params');
  if (singles.length === 0) return whole;
  const isObject = typeof whole === 'object' && whole !== null && !Array.isArray(whole);
  if (whole !== undefined && !isObject) {
    throw new UsageError('--param adds to an object, and the params are none.');
  }
  return { ...whole, ...readSingles(singles) };
}

function expand(given: string, world: World): Promise<string> | string {
  if (given === '-') return world.readInput();
  return given.startsWith('@') ? readSource(given.slice(1), world) : given;
}

function readSingles(singles: readonly string[]): Record<string, unknown> {
  const entries = singles.map((single): [string, unknown] => {
    const match = /^([^=:]+)(:?=)([\s\S]*)$/.exec(single);
    const [, name = '', sign, value = ''] = match ?? [];
    if (match === null) throw new UsageError(`--param ${single}: write name=text or name:=json.`);
    return [name, sign === '=' ? value : readJson(value, `--param ${name}`)];
  });
  return Object.fromEntries(entries);
}

/** `key=value` and bare `key` as one map. */
export function readTags(words: readonly string[]): Record<string, string> | undefined {
  if (words.length === 0) return undefined;
  return Object.fromEntries(
    words.map((word): [string, string] => {
      const at = word.indexOf('=');
      return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** Names with commas between them, as `--fallback a,b`. */
export function readNames(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim());
}

/** `key=value` pairs, each with both sides. */
export function readPairs(words: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    words.map((word): [string, string] => {
      const at = word.indexOf('=');
      if (at <= 0) throw new UsageError(`${flag} ${word}: write ${flag} key=value.`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** A span like `250ms`, `2s`, `5m`; a bare number is seconds. */
export function readSpanMs(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= 1) return Math.round(ms);
  throw new UsageError(`${flag} ${text}: write a time like 250ms, 2s or 5m.`);
}

/** A moment: a span before `now`, RFC 3339, or epoch milliseconds. */
export function readWhen(
  text: string | undefined,
  flag: string,
  now: EpochMs,
): EpochMs | undefined {
  if (text === undefined) return undefined;
  if (/^\d{12,}$/.test(text)) return Number(text);
  const at = readMoment(text);
  if (at !== undefined) return at;
  const spanMs = /[a-z]$/.test(text) ? parseDurationMs(text) : undefined;
  if (spanMs !== undefined) return Math.max(0, Math.round(now - spanMs));
  throw new UsageError(`${flag} ${text}: write 15m (ago), 2026-11-30T05:00:00Z or milliseconds.`);
}

/** A whole number. */
export function readCount(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} ${text}: write a whole number.`);
}
