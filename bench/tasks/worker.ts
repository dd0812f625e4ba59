import { Agent, silentLog } from '@agent-reach/sdk';
import { machineMs, playRole, type TasksDone } from '../call/role.ts';
import { QUICK, WORK } from './task-types.ts';

// The cheapest agent that fetches tasks: its handlers look at the time, and that is all. It has the
// settings of an agent whose tasks are short.

const [endpoint = ''] = process.argv.slice(2);
const PLACES = 50;

let done: TasksDone = { count: 0, waitedMs: [], lastAt: 0 };

function take({ payload }: { payload: { sent_at: number } }): { status: string } {
  done.count++;
  done.lastAt = machineMs();
  done.waitedMs.push(done.lastAt - payload.sent_at);
  return { status: 'shipped' };
}

const shared = { description: 'Says where an order is.', effect: 'read' } as const;
const agent = new Agent({ name: 'worker', endpoint, maxConcurrency: PLACES, log: silentLog })
  .handle(WORK, take, shared)
  .handle(QUICK, take, { ...shared, ack: 'on-complete' });
await agent.start();

playRole(
  { origin: endpoint },
  () => agent.stop(),
  () => {
    const told = done;
    done = { count: 0, waitedMs: [], lastAt: 0 };
    return told;
  },
);
