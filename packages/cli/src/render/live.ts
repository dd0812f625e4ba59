import type { Sink } from '../world.ts';
import { plain } from './plain.ts';
import { cut } from './width.ts';

const ERASE = '\r\u001b[K';

/** A line at the bottom of a terminal that is written over. In a pipe there is none. */
export class LiveLine implements Disposable {
  readonly #sink: Sink;
  readonly #isOn: boolean;
  #isShown = false;

  constructor(sink: Sink, isOn: boolean) {
    this.#sink = sink;
    this.#isOn = isOn && sink.isTerminal;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Takes the place of what it said before. One column is left free, or the line would break. */
  show(text: string): void {
    if (!this.#isOn) return;
    this.#sink.write(ERASE + cut(plain(text), this.#sink.width - 1));
    this.#isShown = true;
  }

  /** Makes room for a line that stays. */
  clear(): void {
    if (this.#isShown) this.#sink.write(ERASE);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

const CELLS = 10;

/** A bar of ten cells: `████░░░░░░`. */
export function bar(percent: number): string {
  const full = Math.round(Math.min(100, Math.max(0, percent)) / (100 / CELLS));
  return '█'.repeat(full) + '░'.repeat(CELLS - full);
}
