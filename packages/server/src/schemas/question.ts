/** Which of the two schemas of a capability is compared. */
export type Side = 'input' | 'output';

/** Why a value of one schema may miss another. */
export interface Reason {
  /** Pointer below the schema. */
  at: string;
  /** A sentence without its subject. */
  says: string;
}

/** The question of compatibility.ts, as the keywords of narrowing.ts ask it of what is inside. */
export interface Question {
  readonly side: Side;
  /** Why a value of `wide` may miss `narrow`, with pointers below the two. */
  compare(wide: unknown, narrow: unknown): Reason[];
  /** The same question the other way round: which values does `not` let through? */
  reversed(): Question;
  /** One of two sentences, by side. */
  say(input: string, output: string): string;
  /** `was 3, is now 5`, whichever of the two is the older here. */
  change(wide: unknown, narrow: unknown): string;
}

/** Puts reasons below a place. */
export function under(at: string, reasons: Reason[]): Reason[] {
  return reasons.map((reason) => ({ ...reason, at: at + reason.at }));
}

const SHOWN_CHARS_MAX = 60;

/** A value as a sentence shows it. */
export function show(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}
