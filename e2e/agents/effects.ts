import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Takes effect: one more line in the file, on the disk when this returns. */
export function takeEffect(file: string, key: string): void {
  const fd = openSync(file, 'a');
  writeSync(fd, `${key}\n`);
  fsyncSync(fd);
  closeSync(fd);
}

/** The effects that are in the file, of one key or of all. */
export function effects(file: string, key?: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return []; // Nothing took effect yet.
  }
  return text.split('\n').filter((line) => line !== '' && (key === undefined || line === key));
}
