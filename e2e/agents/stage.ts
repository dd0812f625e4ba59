/**
 * What the agent programs of these tests share: they say what happens, one JSON object a line, and
 * are told when to go on by lines on their standard input. So a test waits for what it wants to see
 * and nobody sleeps.
 */
import { createInterface } from 'node:readline';

/** Tells the test what happened. */
export function say(event: string, facts: object = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...facts })}\n`);
}

let { promise: released, resolve: release } = Promise.withResolvers<void>();

const input = createInterface(process.stdin).on('line', (line) => {
  if (line === 'release') release();
  if (line === 'hold') ({ promise: released, resolve: release } = Promise.withResolvers<void>());
});
// Whoever started this is gone, however it went: nothing is left behind.
input.on('close', () => process.exit(1));

/** Resolves when the test lets go; rejects when the signal is aborted before. */
export async function hold(signal?: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason as Error);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([released, aborted]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The argument after its flag. */
export function flag(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}
