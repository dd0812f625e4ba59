import { duration, integer } from '@agent-reach/core/kernel';

/** Settings of what is kept of the past. */
export const TELEMETRY_OPTIONS = {
  traceRetentionMs: duration({
    key: 'trace.retention',
    default: 604_800_000,
    min: 60_000,
    max: 31_536_000_000,
    doc: 'How long hops are kept. About 700 bytes of disk a hop.',
  }),
  traceRowsMax: integer({
    key: 'trace.rows.max',
    default: 1_000_000,
    min: 1_000,
    max: 1_000_000_000,
    doc: 'The most hops kept, whatever their age.',
  }),
  auditRetentionMs: duration({
    key: 'audit.retention',
    default: 15_552_000_000,
    min: 86_400_000,
    max: 315_360_000_000,
    doc: 'How long audit lines are kept. Shorter saves disk and answers fewer questions.',
  }),
} as const;
