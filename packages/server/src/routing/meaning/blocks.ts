/** Numbers of a page; the first one grows by doubling, so that a small index is small. */
const PAGE_BITS = 14;
const PAGE = 2 ** PAGE_BITS;
const FIRST_PAGE = 256;

/** The longest block is `2 ** SIZES`. */
const SIZES = 6;
export const BLOCK_MAX = 2 ** SIZES;

/**
 * Memory for short lists: blocks of 2 to 64 numbers out of a few large arrays. What is given back is
 * used again for the next list of that length. Growing copies the first page at most.
 */
export class Blocks {
  readonly #pages: Uint32Array[] = [];
  /** Places of blocks that were given back, by the logarithm of their length. */
  readonly #free: number[][] = Array.from({ length: SIZES + 1 }, () => []);
  #end = 0;

  /** The place of a block that has room for so many numbers. What is in it is what was left there. */
  take(numbers: number): number {
    const size = sizeFor(numbers);
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const room = 2 ** size;
    const within = this.#end & (PAGE - 1);
    // A block lies in one page: what is left at the end of a page is lost.
    if (within + room > PAGE) this.#end += PAGE - within;
    const place = this.#end;
    this.#end += room;
    this.#reach(place >>> PAGE_BITS, (place & (PAGE - 1)) + room);
    return place;
  }

  giveBack(place: number, numbers: number): void {
    this.#free[sizeFor(numbers)]?.push(place);
  }

  /** The array in which a block lies, and where it begins there. */
  pageOf(place: number): Uint32Array {
    return this.#pages[place >>> PAGE_BITS] ?? NOTHING;
  }

  withinPage(place: number): number {
    return place & (PAGE - 1);
  }

  #reach(at: number, numbers: number): void {
    const before = this.#pages[at];
    if (before !== undefined && before.length >= numbers) return;
    const room = at === 0 ? Math.max(FIRST_PAGE, 2 * (before?.length ?? 0), numbers) : PAGE;
    const page = new Uint32Array(Math.min(PAGE, room));
    if (before !== undefined) page.set(before);
    this.#pages[at] = page;
  }
}

const NOTHING = new Uint32Array(0);

function sizeFor(numbers: number): number {
  return numbers <= 2 ? 1 : 32 - Math.clz32(numbers - 1);
}

/** Whether lists of these lengths have blocks of the same length. */
export function isSameSize(a: number, b: number): boolean {
  return sizeFor(a) === sizeFor(b);
}
