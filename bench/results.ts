import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'RESULTS.md');
const HEAD = `# Results

Written by the benchmarks themselves; each section is the last run that was kept.
`;

/** Puts a section into RESULTS.md, in place of the one with the same name. */
export function keepResults(name: string, command: string, text: string): void {
  const [head = HEAD, ...sections] = existsSync(FILE)
    ? readFileSync(FILE, 'utf8').split(/^(?=## )/m)
    : [HEAD];
  const day = new Date().toISOString().slice(0, 10);
  const own = `## ${name}\n\n${day}, \`${command}\`. ${text.trim()}\n\n`;
  const place = sections.findIndex((section) => section.startsWith(`## ${name}\n`));
  if (place < 0) sections.push(`\n${own}`);
  else sections[place] = own;
  writeFileSync(FILE, `${[head, ...sections].join('').trimEnd()}\n`);
}
