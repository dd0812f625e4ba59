/** Numbers of a page: what a column that grows copies at most. */
const PAGE_BITS = 12;
const PAGE = 2 ** PAGE_BITS;
const FIRST_PAGE = 64;

/** Whole numbers by their place, 0 where none was set. It grows by pages, so that nothing is copied but the first one. */
export class Column {
  readonly #pages: Uint32Array[] = [];

  get(place: number): number {
    return this.#pages[place >>> PAGE_BITS]?.[place & (PAGE - 1)] ?? 0;
  }

  set(place: number, value: number): void {
    const at = place >>> PAGE_BITS;
    const within = place & (PAGE - 1);
    while (this.#pages.length < at) this.#grow(this.#pages.length, PAGE);
    if (within >= (this.#pages[at]?.length ?? 0)) this.#grow(at, at === 0 ? within + 1 : PAGE);
    const page = this.#pages[at];
    if (page !== undefined) page[within] = value;
  }

  #grow(at: number, least: number): void {
    const before = this.#pages[at];
    const room = Math.max(FIRST_PAGE, 2 * (before?.length ?? 0), least);
    const page = new Uint32Array(Math.min(PAGE, room));
    if (before !== undefined) page.set(before);
    this.#pages[at] = page;
  }
}
