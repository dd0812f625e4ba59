import { Agent } from '@agent-reach/sdk';
import type { DeskAnswer } from '../reply.ts';
import { role } from '../shop/role.ts';
import { noteVisit } from '../shop/visits.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

// A desk of a shop that is known by its description alone: `desk.ts NAME`. It says that it was asked,
// and with what.

const [, , name = ''] = process.argv;
if (role === undefined) throw new Error('A desk has its capabilities from the plan of a run.');
const { notesDir, desks } = role;

const agent = new Agent({ ...demoAgent, name });
for (const spec of desks[name] ?? []) {
  agent.capability(spec, (params: object, ctx): DeskAnswer => {
    noteVisit(notesDir, name, ctx);
    return { desk: name, asked: spec.displayName ?? spec.name, params };
  });
}

await serveAgent(agent);
