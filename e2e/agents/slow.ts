/** An agent on the SDK that does not come to an end in its time, and says when it is told to. */
import { Agent, silentLog } from '@agent-reach/sdk';
import { hold, say } from './stage.ts';

const agent = new Agent({ name: 'slow', log: silentLog }).capability(
  {
    name: 'slow',
    description: 'Takes its time.',
    effect: 'write',
    idempotency: 'gateway',
    timeoutMs: 300,
  },
  async (_, { signal }) => {
    try {
      await hold(signal);
    } catch (reason) {
      say('aborted', { reason: (reason as { code?: string }).code });
      throw reason;
    }
  },
);

await agent.start();
say('ready', { id: agent.id, base_url: agent.baseUrl });
