/**
 * The defences of the gateway, each with what it is against, how to switch it off, and the test that
 * must see it. A defence without a row here is one that nobody would miss.
 */
export interface Defence {
  /** What it is against. */
  attack: string;
  /** The sentence that holds while it stands. */
  holds: string;
  /** Where it stands, from `packages/`. */
  file: string;
  /** Its text, and what is there instead when it is switched off. */
  find: string;
  put: string;
  /** The test file, from `packages/`, and the beginning of the test's name. */
  test: string;
  fails: string;
}
