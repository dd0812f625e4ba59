import type { AgentChange, AgentEvent, AgentSnapshot, StreamEvent } from '@agent-reach/core';
import type { Interest } from './change-rows.ts';

/** More than these wait for no reader: a snapshot is shorter than what he has missed. */
export const LINE_CHANGES_MAX = 1_000;
const LINE_BYTES_MAX = 1_048_576;

/** What is put into the line of a reader. */
export type Piece =
  | { is: 'changes'; rev: string; changes: readonly AgentChange[]; bytes: number }
  | { is: 'mark'; rev: string; hash: string; confirmed: boolean };

/** What a line needs of the feed. */
export interface LinePorts {
  snapshot: (interest: Interest) => AgentSnapshot;
  /** Waits as long as a reader who lost his place does, so that not all come for a snapshot at once. */
  pause: (signal: AbortSignal) => Promise<void>;
}

/** Why a reader needs a snapshot; `new`: he comes without a place. */
type Lost = 'new' | Extract<AgentEvent, { type: 'resync' }>['reason'];

/** What waits for one reader: as much as he may be behind, or the note that he lost his place. */
export class ChangeLine {
  readonly interest: Interest;
  readonly #ports: LinePorts;
  #queue: Piece[] = [];
  #changes = 0;
  #bytes = 0;
  #lost: Lost | undefined;
  /** Where the reader stands. */
  #rev: string;
  #wake = Promise.withResolvers<void>();

  /** @param start Where the reader stands, or why he stands nowhere. */
  constructor(
    interest: Interest,
    start: { rev: string } | { lost: Exclude<Lost, 'too-slow'> },
    ports: LinePorts,
  ) {
    this.interest = interest;
    this.#ports = ports;
    this.#rev = 'rev' in start ? start.rev : '';
    this.#lost = 'lost' in start ? start.lost : undefined;
  }

  /** Changes that wait, for whoever looks at how much memory the line holds. */
  get waiting(): number {
    return this.#changes;
  }

  push(piece: Piece): void {
    if (this.#lost !== undefined) return;
    if (piece.is === 'changes') {
      this.#changes += piece.changes.length;
      this.#bytes += piece.bytes;
      if (this.#changes > LINE_CHANGES_MAX || this.#bytes > LINE_BYTES_MAX) {
        this.#empty();
        this.#lost = 'too-slow';
      } else this.#queue.push(piece);
    } else if (this.#queue.at(-1)?.is === 'mark') this.#queue.splice(-1, 1, piece);
    else this.#queue.push(piece);
    this.#wake.resolve();
  }

  /** What the reader is told, until the signal is aborted. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent<AgentEvent>> {
    const gone = () => this.#wake.resolve();
    signal.addEventListener('abort', gone, { once: true });
    try {
      while (!signal.aborted) {
        if (this.#lost !== undefined) {
          yield* this.#anew(this.#lost, signal);
          continue;
        }
        const piece = this.#queue.shift();
        if (piece === undefined) {
          this.#wake = Promise.withResolvers();
          await this.#wake.promise;
          continue;
        }
        yield this.#eventOf(piece);
      }
    } finally {
      signal.removeEventListener('abort', gone);
      this.#empty();
    }
  }

  /** A place from which the reader can go on. What changes meanwhile is in the snapshot. */
  async *#anew(lost: Lost, signal: AbortSignal): AsyncGenerator<StreamEvent<AgentEvent>> {
    if (lost !== 'new') {
      yield { data: { type: 'resync', reason: lost } };
      await this.#ports.pause(signal);
      if (signal.aborted) return;
    }
    const snapshot = this.#ports.snapshot(this.interest);
    this.#lost = undefined;
    this.#rev = snapshot.rev;
    yield { id: snapshot.rev, data: snapshot };
  }

  #eventOf(piece: Piece): StreamEvent<AgentEvent> {
    const { rev } = piece;
    const from = this.#rev;
    this.#rev = rev;
    if (piece.is === 'mark') {
      const { hash, confirmed } = piece;
      return { id: rev, data: { type: 'mark', rev, hash, confirmed } };
    }
    this.#changes -= piece.changes.length;
    this.#bytes -= piece.bytes;
    const changes = [...piece.changes];
    return { id: rev, data: { type: 'changes', rev_from: from, rev_to: rev, changes } };
  }

  #empty(): void {
    this.#queue = [];
    this.#changes = 0;
    this.#bytes = 0;
  }
}
