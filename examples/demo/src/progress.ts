import type { Paint } from './paint.ts';
import { widthOf } from './width.ts';

/** How far something is. */
export interface Step {
  label: string;
  done: number;
  total: number;
  /** What it waits for, or who does it. */
  remark?: string | undefined;
}

/** Where progress is shown. */
export interface Screen {
  write: (text: string) => void;
  /** Undefined where a line cannot be written over: in a pipe or a file. */
  columns: number | undefined;
  paint: Paint;
}

const ERASE = '\r\x1b[K';
const CELLS_MAX = 40;
/** A shorter bar says less than the numbers beside it. */
const CELLS_MIN = 8;
/** In a pipe a line is printed at each of so many parts. */
const PARTS = 4;

/** The screen that a stream is: a terminal of some width, or lines in a row. */
export function screenOf(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>,
  env: NodeJS.ProcessEnv,
  paint: Paint,
): Screen {
  const isWritable = stream.isTTY && env['TERM'] !== 'dumb';
  return {
    write: (text) => void stream.write(text),
    // Asked each time: people resize their windows.
    get columns() {
      return isWritable ? stream.columns : undefined;
    },
    paint,
  };
}

/** A bar at the bottom of a terminal that is written over; elsewhere a plain line now and then. */
export class Progress implements Disposable {
  readonly #screen: Screen;
  #isShown = false;
  #parts = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(step: Step): void {
    const { columns, write, paint } = this.#screen;
    if (columns === undefined) {
      this.#showPart(step);
      return;
    }
    write(ERASE + barLine(step, columns - 1, paint));
    this.#isShown = true;
  }

  /** Makes room for a line that stays. */
  clear(): void {
    if (this.#isShown) this.#screen.write(ERASE);
    this.#isShown = false;
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #showPart({ label, done, total }: Step): void {
    const parts = Math.floor((done * PARTS) / total);
    if (parts <= this.#parts) return;
    this.#parts = parts;
    this.#screen.write(`${label}  ${done}/${total}\n`);
  }
}

/**
 * A step in at most `width` columns. What it waits for goes first when there is no room, then the
 * bar, then the label.
 */
export function barLine({ label, done, total, remark }: Step, width: number, paint: Paint): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const bare = widthOf(label) + count.length + 2;
  if (bare > width) return count.length > width ? '' : count;
  const free = width - bare - 2;
  if (free < CELLS_MIN) return `${label}  ${count}`;
  const cells = Math.min(CELLS_MAX, free);
  const full = Math.floor((done * cells) / total);
  const bar = paint('green', '█'.repeat(full)) + paint('dim', '░'.repeat(cells - full));
  const rest = remark === undefined ? 0 : widthOf(remark) + 2;
  const said = rest > 0 && rest <= free - cells ? `  ${paint('dim', remark ?? '')}` : '';
  return `${label}  ${bar}  ${count}${said}`;
}
