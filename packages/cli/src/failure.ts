import type { ErrorFacts, ReachError } from '@agent-reach/core';
import { plain } from './render/plain.ts';

/** The command line itself is wrong: nothing was asked of anybody. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes: it went well, it failed, it is written wrongly, there is no gateway. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** How a command failed, for people and for scripts. */
export interface Failure {
  /** One line. */
  line: string;
  /** What else is known; printed when asked for. */
  more: string[];
  exitCode: number;
}

/** Anything thrown, as a failure. */
export async function failureOf(thrown: unknown): Promise<Failure> {
  if (thrown instanceof UsageError) {
    return { line: `reach: usage: ${plain(thrown.message)}`, more: [], exitCode: EXIT.usage };
  }
  // Loaded only here: help and usage errors must not wait for the schemas behind it.
  const { ReachError } = await import('@agent-reach/core');
  if (ReachError.is(thrown)) return operating(thrown);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    line: `reach: internal: ${plain(error.message)}`,
    more: (error.stack ?? '').split('\n').slice(1).map(plain),
    exitCode: EXIT.failed,
  };
}

function operating(error: ReachError): Failure {
  const isDown = isUnreachable(error);
  const hint = isDown
    ? ' Start a gateway with `reach serve`, or say where it is with --endpoint or REACH_ENDPOINT.'
    : '';
  return {
    line: `reach: ${error.code}: ${plain(error.message)}${hint}`,
    more: factLines(error),
    exitCode: isDown ? EXIT.unreachable : EXIT.failed,
  };
}

/** True when not one byte reached a gateway. The gateway's own `connect-failed` is about an agent. */
function isUnreachable({ code, cause }: ReachError): boolean {
  return (
    code === 'connect-failed' &&
    cause instanceof Error &&
    cause.name === 'FetchFailure' &&
    (cause as Error & { sent?: boolean }).sent === false
  );
}

function factLines(error: ReachError): string[] {
  const { errors = [], advice, retry_after_ms: waitMs, ...others } = error.facts as ErrorFacts;
  const rest = Object.entries(others).filter(
    ([name]) => name !== 'executed' && name !== 'retryable',
  );
  return [
    ...errors.map(({ pointer, detail }) => `${pointer} ${detail}`),
    ...(typeof advice === 'string' ? [`→ ${advice}`] : []),
    `executed: ${error.executed}, retryable: ${error.retryable ? 'yes' : 'no'}`,
    ...(waitMs === undefined ? [] : [`retry after: ${waitMs} ms`]),
    ...rest.map(([name, value]) => `${name}: ${textOf(value)}`),
  ].map(plain);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
