/** One broken rule at one place. */
export interface Violation {
  /** The name to search for: a rule of the house, of oxlint, or a compiler's error code. */
  rule: string;
  /** Relative to the repository's root; a name in brackets where no file is to blame. */
  file: string;
  line: number;
  /** Names the thing, the value and the bound. */
  message: string;
}
