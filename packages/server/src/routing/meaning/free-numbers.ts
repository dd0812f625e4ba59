/** Numbers from 0 on; the one that was given back last is the next. */
export class FreeNumbers {
  readonly #free: number[] = [];
  #end = 0;

  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#end += 1;
    return this.#end - 1;
  }

  giveBack(number: number): void {
    this.#free.push(number);
  }
}
