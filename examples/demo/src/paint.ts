/** Colours a text, or leaves it as it is where colours would be noise. */
export type Paint = (look: Look, text: string) => string;

/** The looks that the demo uses, as SGR codes. */
const LOOKS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;
type Look = keyof typeof LOOKS;

/** Colours on a terminal, unless the user said otherwise (https://no-color.org). */
export function paintFor(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  const hasColour = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return hasColour ? (look, text) => `\x1b[${LOOKS[look]}m${text}\x1b[0m` : (_, text) => text;
}
