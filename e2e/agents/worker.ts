/**
 * An agent on the SDK whose every effect is a line in a file.
 *
 *     worker.ts --file effects [--name worker] [--port 0]
 *
 * `look` reads, `add` writes (the gateway keeps its key), `set` writes and honours the key itself.
 * With `hold: true` each stops after its work until the test lets go, or until it is aborted.
 */
import { Agent, type Context, Rejection, silentLog } from '@agent-reach/sdk';
import { effects, takeEffect } from './effects.ts';
import { flag, hold, say } from './stage.ts';

interface Params {
  hold?: boolean;
  refuse?: boolean;
}

const file = flag('file') ?? '';
/** A test that holds a call starts other processes meanwhile. */
const timeoutMs = 10_000;
const input = {
  type: 'object',
  properties: { hold: { type: 'boolean' }, refuse: { type: 'boolean' }, note: { type: 'string' } },
  additionalProperties: false,
};

async function answer(params: Params, ctx: Context): Promise<{ count: number }> {
  const about = { capability: ctx.capability, key: ctx.idempotencyKey, attempt: ctx.attempt };
  say('ran', { ...about, request: ctx.requestId, deadline: ctx.deadline.remainingMs() });
  if (params.refuse === true) throw new Rejection('no-such-thing', 'There is no such thing.');
  if (params.hold === true) {
    try {
      await hold(ctx.signal);
    } catch (reason) {
      say('aborted', { ...about, reason: (reason as { code?: string }).code });
      throw reason;
    }
  }
  return { count: effects(file).length };
}

const agent = new Agent({
  name: flag('name') ?? 'worker',
  displayName: '工人',
  port: Number(flag('port') ?? 0),
  lingerMs: 200,
  log: silentLog,
})
  .capability<Params>(
    {
      name: 'look',
      aliases: ['数一数', 'count_effects'],
      description: 'Counts the effects.',
      effect: 'read',
      timeoutMs,
      input,
    },
    answer,
  )
  .capability<Params>(
    {
      name: 'add',
      description: 'Adds one.',
      effect: 'write',
      idempotency: 'gateway',
      timeoutMs,
      input,
    },
    (params, ctx) => {
      if (params.refuse !== true) takeEffect(file, ctx.idempotencyKey ?? '-');
      return answer(params, ctx);
    },
  )
  .capability<Params>(
    {
      name: 'set',
      description: 'Adds one, once a key.',
      effect: 'idempotent_write',
      idempotency: 'key',
      timeoutMs,
      input,
    },
    (params, ctx) => {
      const key = ctx.idempotencyKey ?? '-';
      if (effects(file, key).length === 0) takeEffect(file, key);
      return answer(params, ctx);
    },
  );

await agent.start();
say('ready', { id: agent.id, base_url: agent.baseUrl, pid: process.pid });
