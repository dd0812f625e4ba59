/** What may stand behind a flag. */
export type FlagValue = string | boolean | readonly string[] | undefined;

/** One use of a command: its operands and flags as the user wrote them. */
export class Use {
  readonly #operands: readonly (string | undefined)[];
  readonly #flags: Readonly<Record<string, FlagValue>>;

  constructor(
    operands: readonly (string | undefined)[],
    flags: Readonly<Record<string, FlagValue>>,
  ) {
    this.#operands = operands;
    this.#flags = flags;
  }

  /** The operand at that place, from 0. */
  operand(place: number): string | undefined {
    return this.#operands[place];
  }

  /** An operand that the command's row says is there. */
  required(place: number): string {
    return this.#operands[place] ?? '';
  }

  /** All operands from that place on. */
  rest(place: number): readonly string[] {
    return this.#operands.slice(place).filter((operand) => operand !== undefined);
  }

  /** The value of a flag, by its name in camel case. */
  text(name: string): string | undefined {
    const value = this.#flags[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** All values of a flag that may be repeated. */
  many(name: string): readonly string[] {
    const value = this.#flags[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** Whether a switch is on. */
  on(name: string): boolean {
    return this.#flags[name] === true;
  }

  /** Whether a flag was given, with a value or without. */
  has(name: string): boolean {
    return this.on(name) || this.text(name) !== undefined;
  }
}

/** An object without the fields that nobody gave: absent and undefined differ on the wire. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
