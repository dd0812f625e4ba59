/**
 * One of several places where a question is answered: `place.ts --port 20001 --instance p-1
 * [--base url] [--name places]`. It says where it was answered.
 */
import { Agent, silentLog } from '@agent-reach/sdk';
import { flag, say } from './stage.ts';

const base = flag('base');
const instance = flag('instance') ?? 'p-1';

const agent = new Agent({
  name: flag('name') ?? 'places',
  port: Number(flag('port')),
  instanceId: instance,
  heartbeatMs: 3_000,
  log: silentLog,
  ...(base === undefined ? {} : { baseUrl: base }),
}).capability(
  {
    name: flag('capability') ?? 'where',
    description: 'Says where it is answered.',
    effect: 'read',
    timeoutMs: 500,
  },
  () => ({ instance }),
);

await agent.start();
say('ready', { id: agent.id, pid: process.pid });
