import { ReachError } from '@agent-reach/core';

/** The connection was refused, broke or stood still: PostgreSQL itself said nothing. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
}

/** Another gateway was faster, in a way that doing it all again settles. */
export class Raced extends Error {
  override readonly name = 'Raced';
}

/** The error code of PostgreSQL, if it was PostgreSQL that failed. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** An error of the client as this driver knows it. */
export function clientError(error: Error): Error {
  if (sqlStateOf(error) !== undefined) return error;
  return new ConnectionFailed(error.message, { cause: error });
}

/** Whether a transaction failed because of its neighbours: done again, it may well succeed. */
export function isRace(error: unknown): boolean {
  return error instanceof Raced || RACES.has(sqlStateOf(error) ?? '');
}

/**
 * Whether the connection is gone and, unless its last word was a commit, all of the transaction with
 * it. A server that shuts down says so itself, and a pooler speaks for one that is lost.
 */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectionFailed || /^(08|57P0[1245])/.test(sqlStateOf(error) ?? '');
}

/**
 * What a failed transaction says to whoever asked; the engine's own text stays in the log.
 * `hasCommitLeft`: if the answer to it was lost, the move may have happened.
 */
export function failureOf(error: unknown, hasCommitLeft: boolean): ReachError {
  if (ReachError.is(error)) return error;
  const facts = hasCommitLeft && isBroken(error) ? ({ executed: 'unknown' } as const) : {};
  if (error instanceof ConnectionFailed) {
    return new ReachError('store-unavailable', 'PostgreSQL does not answer.', facts, error);
  }
  if (isRace(error)) {
    const detail = 'PostgreSQL is too busy: others were faster each time it was tried.';
    return new ReachError('store-unavailable', detail, {}, error);
  }
  const code = sqlStateOf(error);
  // Class 22 and 23 say that the data cannot be so: a fault of this program.
  if (code === undefined || /^2[23]/.test(code)) return ReachError.from(error);
  if (code === DISK_FULL) {
    return new ReachError('storage-full', 'The disk of PostgreSQL is full.', facts, error);
  }
  const detail = `PostgreSQL cannot be used: it answered ${code}.`;
  return new ReachError('store-unavailable', detail, facts, error);
}

/** Whether a failure says nothing about what was asked: whatever else is asked now fails as well. */
export function isFateOfAll(error: unknown): boolean {
  if (!ReachError.is(error)) return false;
  if (error.code === 'storage-full') return true;
  return error.code === 'store-unavailable' && (error.cause === undefined || isBroken(error.cause));
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization failure, deadlock,
 * and a unique index in which somebody else's row stood first.
 */
const RACES: ReadonlySet<string> = new Set(['40001', '40P01', '23505']);

const DISK_FULL = '53100';
