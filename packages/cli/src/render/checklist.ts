import type { Look, Page } from './page.ts';
import { plain } from './plain.ts';
import { fit, widthOf } from './width.ts';

/** One line of a checklist. */
export interface Check {
  name: string;
  verdict: 'passed' | 'failed' | 'warning' | 'skipped';
  detail: string;
  /** What to do about it. */
  advice?: string | undefined;
}

const MARKS: Readonly<Record<Check['verdict'], readonly [mark: string, look: Look]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  warning: ['!', 'yellow'],
  skipped: ['–', 'dim'],
};

/** Checks as lines, with the advice under what did not pass. The same in a pipe, without colour. */
export function checklist(checks: readonly Check[], page: Page): string {
  const width = Math.max(0, ...checks.map(({ name }) => widthOf(plain(name))));
  return checks
    .map(({ name, verdict, detail, advice }) => {
      const [mark, look] = MARKS[verdict];
      const line = `  ${page.paint(look, mark)} ${fit(plain(name), width)}  ${plain(detail)}\n`;
      return advice === undefined ? line : `${line}    ${' '.repeat(width)}→ ${plain(advice)}\n`;
    })
    .join('');
}
