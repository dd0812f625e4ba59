/** One setting: how it is written, what it means, and what choosing it costs. */
export interface Option<T> {
  /** Dotted key; the environment says it as `REACH_` + upper case with `_`. */
  key: string;
  default: T;
  /** What it does and its price, for the reference page. */
  doc: string;
  /** What a valid value looks like, for the error that refuses another. */
  form: string;
  /** Reads what a file, the environment or a flag says; undefined: not valid. */
  read(raw: unknown): T | undefined;
  /** What of a value may be shown; absent: all of it. */
  shown?(value: T): unknown;
}

/** The values of a set of options. */
export type Values<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** What every option says of itself. */
interface About<T> {
  key: string;
  default: T;
  doc: string;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads `250ms`, `30s`, `5m`, `24h`, `7d`; a bare number is seconds, as the seeds print them.
 * Whole milliseconds: 1.005 s is 1004.9999… in floating point, which no store column takes.
 */
export function parseDurationMs(raw: unknown): number | undefined {
  if (typeof raw === 'number') return wholeMs(raw * 1000);
  const match = typeof raw === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(raw) : null;
  const unit = UNIT_MS[match?.[2] ?? 's'];
  return match === null || unit === undefined ? undefined : wholeMs(Number(match[1]) * unit);
}

function wholeMs(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : undefined;
}

/** A span of time, held in milliseconds. */
export function duration(about: About<number> & { min: number; max: number }): Option<number> {
  const { min, max, ...rest } = about;
  return {
    ...rest,
    form: `a duration like 250ms, 30s or 5m (a bare number is seconds), ${min} to ${max} ms`,
    read: (raw) => within(parseDurationMs(raw), min, max),
  };
}

/** A whole number. */
export function integer(about: About<number> & { min: number; max: number }): Option<number> {
  const { min, max, ...rest } = about;
  return {
    ...rest,
    form: `a whole number, ${min} to ${max}`,
    read(raw) {
      const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
      return Number.isSafeInteger(value) ? within(value as number, min, max) : undefined;
    },
  };
}

/** A TCP port: 0 lets the system choose a free one, `off` opens none. */
export function port(about: About<number | 'off'>): Option<number | 'off'> {
  const number = integer({ ...about, default: 0, min: 0, max: 65_535 });
  return {
    ...about,
    form: `a port, 0 (any free one) to 65535, or off`,
    read: (raw) => (raw === 'off' || raw === false ? 'off' : number.read(raw)),
  };
}

/** A part of a whole, over 0, 1 at most; `off` says that what it bounds never happens. */
export function ratio(about: About<number | 'off'>): Option<number | 'off'> {
  return {
    ...about,
    form: 'a number over 0, 1 at most, or off',
    read(raw) {
      if (raw === 'off' || raw === false) return 'off';
      const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw) ? Number(raw) : raw;
      return typeof value === 'number' && value > 0 && value <= 1 ? value : undefined;
    },
  };
}

/** A number that need not be whole. */
export function decimal(about: About<number> & { min: number; max: number }): Option<number> {
  const { min, max, ...rest } = about;
  return {
    ...rest,
    form: `a number, ${min} to ${max}`,
    read(raw) {
      const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw) ? Number(raw) : raw;
      return typeof value === 'number' ? within(value, min, max) : undefined;
    },
  };
}

/** Yes or no. */
export function flag(about: About<boolean>): Option<boolean> {
  return {
    ...about,
    form: 'true or false',
    read: (raw) =>
      raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined,
  };
}

/** Free text. */
export function text(about: About<string>): Option<string> {
  return { ...about, form: 'text', read: (raw) => (typeof raw === 'string' ? raw : undefined) };
}

/** A token or key, never shown. As it goes into headers, visible ASCII alone. */
export function secret(about: About<string>): Option<string> {
  return {
    ...about,
    form: 'a key of visible ASCII characters',
    read(raw) {
      const value = typeof raw === 'string' ? raw.trim() : undefined;
      return value !== undefined && /^[\x21-\x7e]{0,4096}$/.test(value) ? value : undefined;
    },
    shown: (value) => (value === '' ? '' : '***'),
  };
}

/** The address of a server, as `read` understands it. What is secret in it is never shown. */
export function address(
  about: About<string> & {
    /** A URL of what was said; undefined: it is none. */
    parse: (said: string) => URL | undefined;
    form: string;
  },
): Option<string> {
  const { parse, ...rest } = about;
  return {
    ...rest,
    read: (raw) => (raw === '' ? '' : typeof raw === 'string' ? parse(raw)?.href : undefined),
    shown: (value) => withoutSecrets(value),
  };
}

/** A URL with its password, and what its query may hold, left out. */
function withoutSecrets(href: string): string {
  if (!URL.canParse(href)) return href;
  const url = new URL(href);
  if (url.password !== '') url.password = '***';
  for (const name of url.searchParams.keys()) {
    if (/pass|secret|key/i.test(name)) url.searchParams.set(name, '***');
  }
  return url.href;
}

/** One of a few words. */
export function choice<const W extends string>(
  about: About<NoInfer<W>> & { words: readonly W[] },
): Option<W> {
  const { words, ...rest } = about;
  return {
    ...rest,
    form: `one of ${words.join(', ')}`,
    read: (raw) => words.find((word) => word === raw),
  };
}

/** Several words: a list in a file, separated by commas elsewhere. */
export function list(about: About<string[]>): Option<string[]> {
  return {
    ...about,
    form: 'a list of words, separated by commas',
    read(raw) {
      const words = typeof raw === 'string' ? raw.split(',').map((word) => word.trim()) : raw;
      if (!Array.isArray(words) || words.some((word) => typeof word !== 'string')) return undefined;
      return (words as string[]).filter((word) => word !== '');
    },
  };
}

/** The defaults of a set of options, for tests and for whoever composes by hand. */
export function defaultsOf<O extends Record<string, Option<unknown>>>(options: O): Values<O> {
  const entries = Object.entries(options).map(([name, option]) => [name, option.default]);
  return Object.fromEntries(entries) as Values<O>;
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined;
}
