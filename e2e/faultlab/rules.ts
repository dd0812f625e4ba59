/** What every round must keep, whatever was done to it. `own` is what one experiment adds. */
export const RULES = {
  P1: 'what was acknowledged is stored',
  P2: 'what was acknowledged ends once, or is parked',
  P3: 'no run without a reason: one, and one more for each lost lease, retry or return',
  P4: 'tasks of one source neither overlap nor overtake each other',
  P5: 'the store agrees with itself',
  own: 'what the experiment itself demands',
} as const;
export type Rule = keyof typeof RULES;

/** A rule that was broken, where and how. */
export interface Fault {
  rule: Rule;
  task?: string;
  detail: string;
}
