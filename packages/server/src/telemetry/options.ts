import { duration, integer, text } from '@agent-reach/core/kernel';

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
    doc: 'How long audit lines are kept. They go by whole sealed segments; the seals stay. Shorter saves disk and answers fewer questions.',
  }),
  sealRecords: integer({
    key: 'audit.seal.records',
    default: 1_000,
    min: 10,
    max: 10_000,
    doc: 'After how many records the audit of a tenant is sealed. What is not sealed yet can be cut off unseen; each seal is kept for ever, about 300 bytes.',
  }),
  sealAfterMs: duration({
    key: 'audit.seal.after',
    default: 600_000,
    min: 1_000,
    max: 86_400_000,
    doc: 'When fewer records are sealed, counted from the first of them.',
  }),
  sealFile: text({
    key: 'audit.seal-file',
    default: '',
    doc: 'File to which each seal is appended as a line of JSON, best where whoever can write to the store cannot. Empty: none. While it cannot be written to, nothing is sealed.',
  }),
} as const;
