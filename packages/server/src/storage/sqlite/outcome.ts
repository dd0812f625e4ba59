import type { ErrorCode } from '@agent-reach/core';

/**
 * What became of an operation. Plain data: it crosses threads. (Only types are imported here and in
 * whatever else runs on a thread, for a thread that loads the whole of core starts 0.2 s later.)
 */
export type Outcome = { value: unknown } | { failed: Failure };

/** Why an operation failed: for the caller, and, in `cause`, for the log. */
export interface Failure {
  code: ErrorCode;
  detail: string;
  cause: string;
}

/** What becomes of whatever is asked of a store that was closed. */
export const CLOSED: Failure = {
  code: 'store-unavailable',
  detail: 'The store is closed.',
  cause: 'it was closed',
};

/** Runs `work` and keeps what it answered or threw. */
export function outcomeOf(work: () => unknown): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

/** What a thrown error says to whoever asked. The engine's own text stays in the log. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (isClosed(error)) return { ...CLOSED, cause };
  const code = engineCode(error);
  if (code === undefined) {
    // Not the engine: a fault of this program.
    return { code: 'internal', detail: 'The gateway failed; its log says why.', cause };
  }
  if (code === SQLITE_FULL) {
    const detail = 'The data file cannot grow: its disk, or its limit of pages, is full.';
    return { code: 'storage-full', detail, cause };
  }
  const detail = `The data file cannot be used: SQLite answered ${code}.`;
  return { code: 'store-unavailable', detail, cause };
}

/** https://sqlite.org/rescode.html; extended codes carry the primary one in their low byte. */
const SQLITE_FULL = 13;

/** What `node:sqlite` says of a connection that was closed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

/** The primary result code, if it was SQLite that failed. */
function engineCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
