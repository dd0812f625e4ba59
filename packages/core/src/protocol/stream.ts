import { ReachError } from './errors.ts';
import { fromProblem, toProblem } from './problem.ts';

/**
 * One event of a stream. What it carries says in `type` what it is; by `id`, where there is one, a
 * reader that lost its connection says where it stood.
 */
export interface StreamEvent<T> {
  id?: string;
  data: T;
}

/** A body that is written piece by piece: what it is, and its pieces. */
export interface TextStream {
  type: string;
  parts: AsyncIterable<string>;
}

/** Why a gateway ends a stream that nobody has left; its reader comes again, here or elsewhere. */
export type ByeReason = 'stopping' | 'max-age' | 'ended';

/** An event as Server-Sent Events write it: `event` is the type of what it carries. */
export function eventText<T extends { type: string }>({ id, data }: StreamEvent<T>): string {
  const about = id === undefined ? '' : `id: ${oneLine(id)}\n`;
  return `${about}event: ${oneLine(data.type)}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The last event of a stream that a gateway ends, with how long its reader shall wait. */
export function byeText(reason: ByeReason, retryMs: number): string {
  return `retry: ${retryMs}\n${eventText({ data: { type: 'bye', reason, retry_ms: retryMs } })}`;
}

/** The last event of a stream that failed. */
export function failureText(error: ReachError): string {
  return eventText({ data: { type: 'error', problem: toProblem(error) } });
}

/** What a reader of a stream got: an event, or that the gateway ended it. */
export type Received =
  | { is: 'event'; id: string | undefined; data: { type: string } }
  | { is: 'bye'; retryMs: number | undefined }
  | { is: 'error'; error: ReachError };

/** The longest event that is read: a whole snapshot is one. */
const EVENT_CHARS_MAX = 32 * 1024 * 1024;

const LINE_END = /\r\n|\n|\r/g;

/** Reads Server-Sent Events as they come, in whatever pieces: each is looked through once. */
export class EventReader {
  readonly #charsMax: number;
  /** Pieces of the line whose end has not come. */
  #line: string[] = [];
  #lineChars = 0;
  /** The line before ended with the piece, and the second half of its end may begin the next one. */
  #skipsFeed = false;
  #data: string[] = [];
  #dataChars = 0;
  #type = '';
  #id: string | undefined;
  /** How long to wait before the next connection, as the gateway said last; milliseconds. */
  retryMs: number | undefined;

  /** @param charsMax The longest event that is read, its lines together. */
  constructor(charsMax = EVENT_CHARS_MAX) {
    this.#charsMax = charsMax;
  }

  /** Throws `bad-response` for an event over the bound and for data that is no JSON. */
  read(piece: string): Received[] {
    const text = this.#skipsFeed && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#skipsFeed = piece.endsWith('\r');
    const found: Received[] = [];
    let from = 0;
    for (const { index, 0: end } of text.matchAll(LINE_END)) {
      this.#keep(text.slice(from, index));
      from = index + end.length;
      const received = this.#lineEnds();
      if (received !== undefined) found.push(received);
    }
    if (from < text.length) this.#keep(text.slice(from));
    return found;
  }

  #keep(part: string): void {
    this.#lineChars += part.length;
    this.#demandRoom();
    this.#line.push(part);
  }

  #demandRoom(): void {
    if (this.#lineChars + this.#dataChars <= this.#charsMax) return;
    const detail = `An event of a stream is over ${this.#charsMax} characters.`;
    throw new ReachError('bad-response', detail);
  }

  #lineEnds(): Received | undefined {
    const line = this.#line.join('');
    this.#line = [];
    this.#lineChars = 0;
    return line === '' ? this.#end() : this.#take(line);
  }

  #take(line: string): undefined {
    const at = line.indexOf(':');
    if (at === 0) return; // A comment.
    const field = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (field === 'data') {
      this.#data.push(value);
      // An empty line of it takes room, too.
      this.#dataChars += line.length;
      this.#demandRoom();
    } else if (field === 'event') this.#type = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }

  #end(): Received | undefined {
    const text = this.#data.join('\n');
    const type = this.#type;
    this.#data = [];
    this.#dataChars = 0;
    this.#type = '';
    if (text === '') return undefined;
    const data = jsonOf(text);
    if (type === 'bye') return { is: 'bye', retryMs: this.retryMs };
    if (type === 'error') return { is: 'error', error: errorOf(data) };
    return { is: 'event', id: this.#id, data };
  }
}

function errorOf(data: object): ReachError {
  const known = fromProblem((data as { problem?: unknown }).problem);
  return (
    known ?? new ReachError('bad-response', 'The stream ended with an error that is unknown here.')
  );
}

function jsonOf(text: string): { type: string } {
  try {
    return JSON.parse(text) as { type: string };
  } catch (error) {
    throw new ReachError('bad-response', 'An event of a stream is no JSON.', {}, error);
  }
}

/** Whatever could end the line is left out: nobody writes a second field into an event. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, '');
}
