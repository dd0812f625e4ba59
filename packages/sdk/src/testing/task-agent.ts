import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { Agent, type Effect, silentLog } from '@agent-reach/sdk';

// An agent in a process of its own, for tests that kill it. What it did is in its own file, synced
// to the disk: nobody else's count is believed.

const { AGENT_NAME = 'worker', AGENT_FILE = '/dev/null', AGENT_EFFECT, AGENT_PLACES } = process.env;

const file = openSync(AGENT_FILE, 'a');

function note(word: string, taskId: string, attempt: number): void {
  writeSync(file, `${word} ${taskId} ${attempt} ${process.pid}\n`);
  fsyncSync(file);
}

const agent = new Agent({
  name: AGENT_NAME,
  maxConcurrency: Number(AGENT_PLACES ?? 4),
  prefetch: Number(process.env['AGENT_PREFETCH'] ?? 0),
  port: process.env['AGENT_PORT'] === undefined ? undefined : Number(process.env['AGENT_PORT']),
  drainMs: Number(process.env['AGENT_DRAIN_MS'] ?? 10_000),
  log: silentLog,
}).handle(
  'work',
  async ({ id, payload }: { id: string; payload: { ms: number } }, ctx) => {
    note('start', id, ctx.attempt);
    ctx.progress(10, 'begun');
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, payload.ms);
      ctx.signal.addEventListener('abort', () => {
        note('abort', id, ctx.attempt);
        clearTimeout(timer);
        resolve(undefined);
      });
    });
    ctx.signal.throwIfAborted();
    note('finish', id, ctx.attempt);
    return { done: id, by: process.pid };
  },
  {
    description: 'Works for as long as it is told.',
    ...(AGENT_EFFECT === 'undeclared' ? {} : { effect: (AGENT_EFFECT ?? 'read') as Effect }),
    ...(AGENT_EFFECT === 'write' ? { idempotency: 'key' } : {}),
  },
);

await agent.start();
process.stdout.write(`${agent.id}\n`);
process.once('exit', () => closeSync(file));
