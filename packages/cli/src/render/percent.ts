/** A part of 1 as people read it. */
export function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
