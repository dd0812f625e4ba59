import { createHash } from 'node:crypto';
import { canonicalize, ReachError } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import type { AgentAnswer } from './answer.ts';
import type { InboundCall } from './inbound.ts';

// Design. The gateway keeps the first answer of every key for a day and is where "one key, one
// effect" is decided. This memory closes one gap: a gateway that was killed between sending and
// keeping does not know what happened, and may send again to the agent that does know. That comes
// within minutes, if at all, so a small memory of this process is enough.

/** How long a finished answer is kept. The gateway's own claim on a key lapses after a minute. */
const KEEP_MS = 15 * 60_000;
/**
 * Bounds the memory by count and by text: at most 1 000 answers, at most 32 Mi characters together.
 */
const ANSWERS_MAX = 1_000;
const CHARS_MAX = 32 * 1024 * 1024;

/** What one run of a handler came to. */
export interface RunOutcome {
  answer: AgentAnswer;
  /** The handler gave its verdict, a result or a rejection. Only that binds a repeat. */
  isFinal: boolean;
}

interface Entry {
  fingerprint: string;
  run: Promise<RunOutcome>;
  /** Undefined while the handler runs; such an entry is never dropped. */
  finished?: { at: number; chars: number };
}

/** The first answers of keyed calls in this process: a repeat joins the run or gets its answer. */
export class FirstAnswers {
  /** In the order in which the calls came, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  #chars = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts the run of a key, or joins the one that was started before. Throws
   * `idempotency-key-reused` for other parameters under a key that is known. What `start` throws is
   * thrown on and nothing is remembered; the promise it returns must not reject.
   */
  once(
    call: InboundCall,
    params: unknown,
    start: () => Promise<RunOutcome>,
  ): { run: Promise<RunOutcome>; isRepeat: boolean } {
    this.#expire();
    const name = nameOf(call);
    const fingerprint = fingerprintOf(params);
    const known = this.#entries.get(name);
    if (known === undefined) {
      const entry: Entry = { fingerprint, run: start() };
      this.#entries.set(name, entry);
      void entry.run.then((outcome) => this.#finish(name, entry, outcome));
      return { run: entry.run, isRepeat: false };
    }
    if (known.fingerprint === fingerprint) return { run: known.run, isRepeat: true };
    throw new ReachError(
      'idempotency-key-reused',
      `Key ${call.idempotencyKey} was used with other parameters for ${call.capability}.`,
    );
  }

  #finish(name: string, entry: Entry, { answer, isFinal }: RunOutcome): void {
    if (isFinal) {
      entry.finished = { at: this.#clock.monotonic(), chars: answer.body.length };
      this.#chars += answer.body.length;
      this.#expire();
    } else this.#entries.delete(name); // Nobody knows what it did: a repeat is the gateway's to judge.
  }

  /** Drops what is too old, then the oldest of what is too much. */
  #expire(): void {
    const oldest = this.#clock.monotonic() - KEEP_MS;
    for (const [name, { finished }] of this.#entries) {
      if (finished === undefined) continue;
      const isTooMuch = this.#entries.size > ANSWERS_MAX || this.#chars > CHARS_MAX;
      if (!isTooMuch && finished.at >= oldest) break;
      this.#entries.delete(name);
      this.#chars -= finished.chars;
    }
  }
}

/** A key belongs to its caller: two agents that both say `1` mean two things. */
function nameOf(call: InboundCall): string {
  const { tenant, caller, capability, idempotencyKey } = call;
  return JSON.stringify([tenant, caller, capability, idempotencyKey]);
}

/** Equal for parameters that are equal, whatever the order of their members. */
function fingerprintOf(params: unknown): string {
  return createHash('sha256').update(canonicalize(params)).digest('base64');
}
