import type { Page } from './page.ts';
import { json, plain } from './plain.ts';

/** One place at which two JSON values differ; a side that is not there is absent. */
export interface Change {
  /** RFC 6901. */
  pointer: string;
  before?: { value: unknown };
  after?: { value: unknown };
}

/** Where two JSON values differ, place by place: an object that was exchanged is not one change. */
export function changesOf(before: unknown, after: unknown, pointer = ''): Change[] {
  if (Object.is(before, after)) return [];
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ pointer, before: { value: before }, after: { value: after } }];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key): Change[] => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(after, key)) return [{ pointer: at, before: { value: before[key] } }];
    if (!Object.hasOwn(before, key)) return [{ pointer: at, after: { value: after[key] } }];
    return changesOf(before[key], after[key], at);
  });
}

/** A change as a line: `+` came, `-` went, `~` is another one. */
export function changeLine({ pointer, before, after }: Change, page: Page): string {
  const place = plain(pointer === '' ? '(all of it)' : pointer);
  const was = before && json(before.value, false);
  const is = after && json(after.value, false);
  if (was === undefined) return page.paint('green', `+ ${place} ${is}`);
  if (is === undefined) return page.paint('red', `- ${place} ${was}`);
  return `~ ${place} ${page.paint('red', was)} → ${page.paint('green', is)}`;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
