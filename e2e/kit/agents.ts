import { join } from 'node:path';
import { Program } from './program.ts';

const AGENTS = join(import.meta.dirname, '../agents');

/** What an agent program prints: one JSON object a line. */
export interface Said {
  event: string;
  [fact: string]: unknown;
}

/** An agent in a process of its own. */
export class AgentProgram implements AsyncDisposable {
  readonly program: Program;
  /** Its line `ready`: it is registered and can be reached. */
  ready: Said = { event: 'ready' };

  constructor(
    name: string,
    endpoint: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) {
    this.program = new Program([process.execPath, join(AGENTS, `${name}.ts`), ...args], {
      env: { ...env, REACH_ENDPOINT: endpoint },
    });
  }

  /** All lines of this event so far. */
  all(event: string): Said[] {
    return this.program.lines
      .map((line) => JSON.parse(line) as Said)
      .filter((said) => said.event === event);
  }

  /** The first line of this event, printed or to come, that `fits`. */
  said(event: string, fits: (said: Said) => boolean = () => true): Promise<Said> {
    return this.program.line(event, (line) => {
      const said = JSON.parse(line) as Said;
      return said.event === event && fits(said) ? said : undefined;
    });
  }

  /** Lets every handler that holds, and each that comes, go on. */
  release(): void {
    this.program.tell('release');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.program[Symbol.asyncDispose]();
  }
}

/** Starts `e2e/agents/<name>.ts` against a gateway and waits until it says `ready`. */
export async function startAgent(
  name: string,
  gateway: { agentUrl: string },
  ...args: readonly string[]
): Promise<AgentProgram> {
  const agent = new AgentProgram(name, gateway.agentUrl, args);
  try {
    agent.ready = await agent.said('ready');
    return agent;
  } catch (error) {
    await agent.program.end();
    throw error;
  }
}

/** Starts several at once, into `stack`. If one fails, the others are in there all the same. */
export async function startTogether<const S extends readonly Promise<AsyncDisposable>[]>(
  stack: AsyncDisposableStack,
  starts: S,
): Promise<{ -readonly [I in keyof S]: Awaited<S[I]> }> {
  for (const { value } of (await Promise.allSettled(starts)).filter(isFulfilled)) stack.use(value);
  return Promise.all(starts);
}

function isFulfilled<T>(result: PromiseSettledResult<T>): result is PromiseFulfilledResult<T> {
  return result.status === 'fulfilled';
}
