import type { AgentOptions } from '../agent-options.ts';
import type { HandleOptions, TaskHandler } from '../task-handler.ts';
import { type AgentHouse, openAgentHouse } from './agent-house.ts';
import { FakeQueue } from './fake-queue.ts';
import { until } from './until.ts';

/** A fake gateway with a queue, and an agent that handles `query`. */
export interface TaskHouse extends AgentHouse {
  queue: FakeQueue;
  /** Resolves when the queue has been told `count` words of this kind. */
  told(word: string, count?: number): Promise<void>;
  /** Resolves when the agent asks for work and is being held. */
  asking(): Promise<void>;
}

/** The agent is started, and asks for work. */
export async function openTaskHouse(
  handler: TaskHandler<unknown, unknown>,
  options: Partial<AgentOptions> & { handle?: HandleOptions } = {},
): Promise<TaskHouse> {
  const { handle, ...rest } = options;
  const declared = { description: 'Answers.', effect: 'read', ...handle } as const;
  const house = await openAgentHouse((agent) => agent.handle('query', handler, declared), rest);
  const queue = new FakeQueue(house.gateway);
  await house.agent.start();
  const counted = (word: string) =>
    queue.words.filter((one) => one === word || one.startsWith(`${word} `)).length;
  return {
    ...house,
    queue,
    told: (word, count = 1) => until(() => counted(word) >= count, `${word} × ${count}`),
    asking: () => until(() => queue.waiting > 0, 'the agent asks for work'),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}
