/**
 * Several places in one process: `fleet.ts --ports 20001,20002 --first 0`. Each says where it was
 * answered; instances are called p-0, p-1 and so on, from `first`.
 */
import { Agent, silentLog } from '@agent-reach/sdk';
import { flag, say } from './stage.ts';

const ports = (flag('ports') ?? '').split(',').map(Number);
const first = Number(flag('first') ?? 0);

const agents = ports.map((port, n) => {
  const instance = `p-${first + n}`;
  return new Agent({
    name: 'places',
    port,
    instanceId: instance,
    handleSignals: false,
    heartbeatMs: 1_000,
    log: silentLog,
  }).capability(
    {
      name: 'where',
      description: 'Says where it is answered.',
      effect: 'read',
      timeoutMs: 500,
    },
    () => ({ instance }),
  );
});

for (const agent of agents) await agent.start();
say('ready', { agents: agents.length, pid: process.pid });
