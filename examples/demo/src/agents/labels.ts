import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from '@agent-reach/sdk';
import { Journal, readNotes } from '../labels/journal.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

// A label printer: `labels.ts NAME FOLDER`. All of them are one agent with one queue, and this
// process is one instance of it. It has no port: it asks the gateway for work.

const [printer = '', folder = ''] = process.argv.slice(2);
const journal = new Journal(folder, printer);
/** A label takes a printer so long. */
const PRINT_MS = 40;
const AT_ONCE = 8;

const agent = new Agent({
  ...demoAgent,
  name: 'labels',
  displayName: '面单打印机',
  instanceId: printer,
  maxConcurrency: AT_ONCE,
  prefetch: 0,
}).handle(
  'print_label',
  async ({ id }, ctx) => {
    journal.note('begun', [id, ctx.attempt]);
    // Who ran before may have died after the label came out and before he could say so. That a run
    // can come twice and its effect cannot, is what `idempotent_write` promises.
    if (ctx.attempt > 1 && isPrinted(id)) {
      journal.note('found', [id, ctx.attempt]);
      return { printer, again: true };
    }
    await pause(PRINT_MS);
    ctx.signal.throwIfAborted();
    journal.note('printed', [id, ctx.attempt]);
    return { printer, again: false };
  },
  {
    displayName: '打印快递面单',
    description: '打印一张快递面单。Prints the shipping label of a parcel.',
    input: {
      type: 'object',
      properties: { parcel: { type: 'integer', minimum: 1 } },
      required: ['parcel'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { printer: { type: 'string' }, again: { type: 'boolean' } },
      required: ['printer'],
    },
    effect: 'idempotent_write',
    idempotency: 'key',
  },
);

function isPrinted(id: string): boolean {
  return readNotes(folder).some(({ word, taskId }) => word === 'printed' && taskId === id);
}

await serveAgent(agent);
