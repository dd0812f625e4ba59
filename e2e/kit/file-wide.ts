import { after } from 'node:test';
import { endAll } from './program.ts';

/** What all tests of a file use together; disposed when the last of them is over. */
export const fileWide = new AsyncDisposableStack();

after(async () => {
  await fileWide.disposeAsync();
  const left = endAll();
  if (left.length > 0) throw new Error(`Left running by its test: ${left.join('; ')}`);
});
