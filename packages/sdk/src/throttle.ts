import { type ErrorFacts, type OperationName, ReachError } from '@agent-reach/core';
import type { MonotonicMs } from '@agent-reach/core/kernel';
import type { Ports } from './ports.ts';

// Design. Who is told that a target takes no more, and asks on, makes the overload he is told of:
// turning a request away costs the other side as well. So a client that is turned away more often
// than every second time asks less often, by chance, and refuses the rest himself. What he refuses
// counts as asked: otherwise he would take his own silence for an end of the overload.
//
// A request counts as accepted until its answer says otherwise: a first burst that nobody has
// answered yet is no sign of anything.
//
// Source: "Handling Overload" in Beyer et al., Site Reliability Engineering (2016).

const BUCKET_MS = 10_000;
const BUCKETS = 12;
/** Fewer requests say nothing. */
const REQUESTS_MIN = 10;
const SHARE_MAX = 0.9;
/** More targets than one client asks; the one that was asked last the longest ago is forgotten. */
const TARGETS_MAX = 1_000;
/** What is refused here may be asked again soon: the next one is decided anew. */
const RETRY_AFTER_MS = 1_000;

interface Bucket {
  readonly index: number;
  requests: number;
  accepts: number;
}

/** The part of requests that is not sent, of so many of which so many were accepted. */
export function heldBack(requests: number, accepts: number): number {
  if (requests < REQUESTS_MIN) return 0;
  return Math.min(SHARE_MAX, Math.max(0, (requests - 2 * accepts) / (requests + 1)));
}

/** How often each target took what it was asked, of the last two minutes. */
export class Throttle {
  readonly #targets = new Map<string, Bucket[]>();
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Asks to send a request; what is returned is told when it was turned away. Throws `overloaded`
   * where it is held back.
   */
  admit(target: string, facts: ErrorFacts): () => void {
    const now = this.#ports.clock.monotonic();
    const buckets = this.#bucketsOf(target, now);
    const { requests, accepts } = sumOf(buckets);
    const share = heldBack(requests, accepts);
    const bucket = bucketAt(buckets, now);
    bucket.requests += 1;
    if (share > 0 && this.#ports.random.next() < share) {
      const detail = `${target}: it took ${accepts} of ${requests} requests of the last two minutes; this one was held back here.`;
      throw new ReachError('overloaded', detail, {
        ...facts,
        executed: 'no',
        throttled: true,
        retry_after_ms: RETRY_AFTER_MS,
      });
    }
    bucket.accepts += 1;
    let isOpen = true;
    return () => {
      if (isOpen) bucket.accepts -= 1;
      isOpen = false;
    };
  }

  #bucketsOf(target: string, now: MonotonicMs): Bucket[] {
    const known = this.#targets.get(target) ?? [];
    const oldest = Math.floor(now / BUCKET_MS) - BUCKETS;
    const buckets = known.filter(({ index }) => index > oldest);
    this.#targets.delete(target);
    if (this.#targets.size >= TARGETS_MAX) {
      const [first] = this.#targets.keys();
      if (first !== undefined) this.#targets.delete(first);
    }
    this.#targets.set(target, buckets);
    return buckets;
  }
}

function bucketAt(buckets: Bucket[], now: MonotonicMs): Bucket {
  const index = Math.floor(now / BUCKET_MS);
  const last = buckets.at(-1);
  if (last?.index === index) return last;
  const bucket = { index, requests: 0, accepts: 0 };
  buckets.push(bucket);
  return bucket;
}

function sumOf(buckets: readonly Bucket[]): { requests: number; accepts: number } {
  let requests = 0;
  let accepts = 0;
  for (const bucket of buckets) {
    requests += bucket.requests;
    accepts += bucket.accepts;
  }
  return { requests, accepts };
}

/** Operations that bring new work. What holders say of theirs makes room, and is never held back. */
const WORK: ReadonlySet<OperationName> = new Set<OperationName>([
  'calls.invoke',
  'routes.decide',
  'tasks.submit',
  'tasks.submit-many',
]);

/**
 * Whom a request for work is for, as far as its sender knows: what one turns away says nothing of
 * others. Undefined: it is no request for work.
 */
export function throttleTarget(name: OperationName, input: object): string | undefined {
  if (!WORK.has(name)) return undefined;
  const { agent, capability, task_type: type } = input as Record<string, unknown>;
  const parts = [agent, capability ?? type].filter((part) => typeof part === 'string');
  return [name, ...parts].join(' ');
}

/** By these somebody says that he takes no more now; that nobody is there is another matter. */
const OVERLOAD: ReadonlySet<ReachError['code']> = new Set<ReachError['code']>([
  'rate-limited',
  'agent-busy',
  'circuit-open',
  'overloaded',
]);

/** Whether an answer says that there is too much to do. */
export function isOverload(error: unknown): boolean {
  return ReachError.is(error) && OVERLOAD.has(error.code);
}
