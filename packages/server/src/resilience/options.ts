import { duration } from '@agent-reach/core/kernel';

/** Settings that bound every attempt. */
export const RESILIENCE_OPTIONS = {
  callTimeoutMaxMs: duration({
    key: 'call.timeout.max',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    doc: 'The longest a call may wait. A capability that needs longer is refused at registration: longer work is a task. Raising it keeps connections open longer.',
  }),
} as const;
