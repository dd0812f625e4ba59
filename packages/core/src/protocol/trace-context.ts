import { createHash } from 'node:crypto';

/** Where a caller stands in its trace. */
export interface TraceParent {
  /** 32 lower-case hex digits, not all zero. */
  traceId: string;
  /** The caller's span: 16 lower-case hex digits, not all zero. */
  parentSpanId: string;
  /** 1 = sampled, 2 = the trace id is random. Bits that are not defined yet are taken off. */
  flags: number;
}

const PATTERN = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const LENGTH = 55;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const FLAGS_KNOWN = 0b11;

/**
 * Reads a `traceparent` header strictly. Undefined for anything else: then a new trace begins and
 * `tracestate` is dropped with it.
 *
 * A version above 00 may carry more behind a dash, which is not looked at. Never says who the
 * caller is and never decides anything: everybody can write this header.
 *
 * Source: W3C Trace Context Level 2, §3.2.
 */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  if (header === undefined || !PATTERN.test(header)) return undefined;
  const version = header.slice(0, 2);
  if (version === 'ff' || (version === '00' && header.length !== LENGTH)) return undefined;
  const traceId = header.slice(3, 35);
  const parentSpanId = header.slice(36, 52);
  if (traceId === NO_TRACE || parentSpanId === NO_SPAN) return undefined;
  const flags = Number.parseInt(header.slice(53, LENGTH), 16) & FLAGS_KNOWN;
  return { traceId, parentSpanId, flags };
}

/** The `traceparent` header of version 00 with which the next hop is called. */
export function formatTraceparent(span: {
  traceId: string;
  spanId: string;
  flags: number;
}): string {
  const flags = (span.flags & FLAGS_KNOWN).toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/**
 * The W3C trace id that stands for an id of another form (`tr-20250118103000-abc123`). The same
 * tenant and id always give the same one, so a trace can be searched both ways; another tenant
 * gets another, so none can join a stranger's trace by guessing.
 */
export function legacyTraceId(tenant: string, legacy: string): string {
  const digest = createHash('sha256').update(`reach.trace\0${tenant}\0${legacy}`).digest('hex');
  return digest.slice(0, 32);
}
