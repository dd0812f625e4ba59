import { ReachError } from '@agent-reach/core';

/** What a caller that waited in vain can tell its own user. */
export interface Degrade {
  text: string;
}

/** Makes that text. May look at the error: its code, capability, agent. */
export type DegradeText = (error: ReachError) => string;

/** The text when nobody set one. */
export const defaultDegradeText: DegradeText = () =>
  'There is no answer in time. Please try again later.';

/** The hint that a timed-out call carries; undefined for every other failure. */
export function degradeOf(error: unknown): Degrade | undefined {
  if (!ReachError.is(error)) return undefined;
  const { degrade } = error.facts;
  return isDegrade(degrade) ? degrade : undefined;
}

/** The same error with a hint if time ran out: ours, the gateway's, or the agent's own (504). */
export function withDegrade(error: ReachError, textOf: DegradeText): ReachError {
  const { code, facts } = error;
  const isTimeout = code === 'deadline-exceeded' || facts.downstream?.status === 504;
  if (!isTimeout || degradeOf(error) !== undefined) return error;
  const degrade: Degrade = { text: textOf(error) };
  return new ReachError(code, error.message, { ...facts, degrade }, error.cause);
}

function isDegrade(value: unknown): value is Degrade {
  return typeof (value as Partial<Degrade> | undefined | null)?.text === 'string';
}
