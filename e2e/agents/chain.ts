/**
 * Agents that call one another, each on the SDK: `a:b` is an agent `a` whose capability `step-a`
 * calls `step-b`; `c:` calls nobody.
 *
 *     chain.ts a:b b:c c:
 *
 * Each answers what it saw of its own call and, behind that, what the next one answered. A nested
 * call that was refused is part of the answer, so that its error arrives as it was.
 */
import { Agent, type Context, type ErrorFacts, ReachError, silentLog } from '@agent-reach/sdk';
import { say } from './stage.ts';

/** What one agent of a chain saw. */
export interface Seen {
  agent: string;
  caller: string;
  trace: string;
  span: string;
  remaining_ms: number;
  key?: string;
  on_behalf_of?: string;
  user_stamp?: string;
}

/** The answer of a step. */
export interface StepAnswer {
  seen: Seen[];
  refused?: { code: string; status: number; detail: string; facts: ErrorFacts };
}

function seenBy(agent: string, ctx: Context): Seen {
  return {
    agent,
    caller: ctx.caller,
    trace: ctx.traceId,
    span: ctx.spanId,
    remaining_ms: ctx.deadline.remainingMs(),
    ...(ctx.idempotencyKey === undefined ? {} : { key: ctx.idempotencyKey }),
    ...(ctx.onBehalfOf === undefined ? {} : { on_behalf_of: ctx.onBehalfOf }),
    ...(ctx.userStamp === undefined ? {} : { user_stamp: ctx.userStamp }),
  };
}

async function step(agent: string, next: string | undefined, ctx: Context): Promise<StepAnswer> {
  const seen = seenBy(agent, ctx);
  if (next === undefined) return { seen: [seen] };
  try {
    const { result } = await ctx.reach.call<StepAnswer>(`step-${next}`);
    return { ...result, seen: [seen, ...result.seen] };
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    const { code, status, message: detail, facts } = error;
    return { seen: [seen], refused: { code, status, detail, facts } };
  }
}

/** Calls `leaf` so many times, one after the other, and counts what came back. */
async function fanOut({ times }: { times: number }, ctx: Context) {
  const codes: string[] = [];
  for (let n = 0; n < times; n++) {
    try {
      await ctx.reach.call('leaf');
      codes.push('ok');
    } catch (error) {
      if (!ReachError.is(error)) throw error;
      codes.push(error.code);
    }
  }
  return { codes };
}

const links = process.argv.slice(2).map((link) => link.split(':'));
for (const [name = '', next = ''] of links) {
  const agent = new Agent({ name, lingerMs: 0, handleSignals: false, log: silentLog }).capability(
    { name: `step-${name}`, description: `The step of ${name}.`, effect: 'read' },
    (_, ctx) => step(name, next === '' ? undefined : next, ctx),
  );
  if (name === 'fan') {
    agent.capability(
      { name: 'fan-out', description: 'Calls the leaf.', effect: 'read', timeoutMs: 10_000 },
      fanOut,
    );
    agent.capability({ name: 'leaf', description: 'Answers.', effect: 'read' }, () => ({}));
  }
  await agent.start();
}
say('ready', { pid: process.pid });
