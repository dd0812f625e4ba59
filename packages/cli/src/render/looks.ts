import type { Look, Page } from './page.ts';

const LOOKS: Readonly<Record<string, Look>> = {
  up: 'green',
  ok: 'green',
  enabled: 'green',
  passed: 'green',
  chosen: 'green',
  route: 'green',
  succeeded: 'green',
  approved: 'green',
  pending: 'yellow',
  refused: 'red',
  needs_confirmation: 'yellow',
  used: 'dim',
  expired: 'dim',
  new: 'cyan',
  delivered: 'cyan',
  running: 'cyan',
  blocked: 'yellow',
  waiting: 'yellow',
  degraded: 'yellow',
  suspect: 'yellow',
  draining: 'yellow',
  fenced: 'yellow',
  warning: 'yellow',
  ask: 'yellow',
  unreachable: 'red',
  gone: 'red',
  absent: 'red',
  disabled: 'red',
  failed: 'red',
  none: 'red',
  dead: 'red',
  warn: 'yellow',
  danger: 'red',
  calm: 'green',
  TIMEOUT: 'red',
  STALLED: 'yellow',
  cancelled: 'dim',
  excluded: 'dim',
  skipped: 'dim',
  default: 'dim',
};

/** The look of a word that says how something is, the same wherever it is shown. */
export function lookOf(word: string): Look | undefined {
  return LOOKS[word];
}

/** Paints a cell by the word in it. */
export function byWord(cell: string, _row: unknown, page: Page): string {
  const look = lookOf(cell.trim());
  return look === undefined ? cell : page.paint(look, cell);
}
