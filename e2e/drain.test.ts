import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AgentProgram, startAgent } from './kit/agents.ts';
import { pause, until, within } from './kit/bounds.ts';
import { Gateway, reach } from './kit/gateway.ts';
import { answerOf, dataOf, post, type Reply } from './kit/wire.ts';

/** Callers that ask again as soon as they are answered. */
const CALLERS = 6;
/** Within so long no more work comes. */
const QUIET_MS = 1_000;
/** What would come later still. */
const WATCHED_MS = 1_500;

const BY_SIGNAL = 'a signal to the agent';

/** The ways to say that an instance shall get no more work. Each answers when that was taken in. */
const WAYS: Record<string, (gateway: Gateway, leaver: Leaver) => Promise<void>> = {
  async 'the API'({ url }, { instanceId }) {
    const said = await post(`${url}/v1/agents/worker/drain`, { instance_id: instanceId });
    assert.equal(dataOf('agents.drain', said).instances[0]?.intent, 'draining');
  },
  async 'the command'({ url }, { instanceId }) {
    const args = ['agents', 'drain', 'worker', '--instance', instanceId, '--endpoint', url];
    const { code, err } = await reach(args);
    assert.equal(code, 0, err);
  },
  async 'the SDK'(gateway, { instanceId }) {
    await gateway.reach.agents.drain('worker', { instance_id: instanceId });
  },
  async [BY_SIGNAL](gateway, { program, instanceId }) {
    program.program.signal('SIGTERM');
    await until('the gateway knows', async () => {
      const { instances } = await gateway.reach.agents.get('worker');
      return instances.find((one) => one.instance_id === instanceId)?.intent === 'draining';
    });
  },
};

interface Leaver {
  program: AgentProgram;
  instanceId: string;
}

/** Starts one more instance of the worker. */
async function start(gateway: Gateway, programs: AsyncDisposableStack): Promise<Leaver> {
  const file = join(gateway.folder.path, 'effects');
  const program = programs.use(await startAgent('worker', gateway, '--file', file));
  const instance = await until('its instance is up', async () => {
    const { instances } = await gateway.reach.agents.get('worker');
    return instances.find((one) => one.base_url === program.ready['base_url'] && one.routable);
  });
  return { program, instanceId: instance.instance_id };
}

/** Asks without a pause until told to stop; answers all that came. */
function load(gateway: Gateway): () => Promise<Reply[]> {
  const over = new AbortController();
  const replies: Reply[] = [];
  const caller = async () => {
    while (!over.signal.aborted) replies.push(await gateway.call({ capability: 'look' }));
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  return async () => {
    over.abort();
    await callers;
    return replies;
  };
}

/** A call that runs at this very instance until it is released. */
async function runAt(
  { program }: Leaver,
  gateway: Gateway,
  way: string,
): Promise<Promise<Reply>[]> {
  const calls: Promise<Reply>[] = [];
  await until('one of the calls runs there', async () => {
    const id = `held-${way.replaceAll(' ', '-')}-${calls.length}`;
    calls.push(gateway.call({ capability: 'look', params: { hold: true }, request_id: id }));
    await pause(100);
    return program.all('ran').some(({ request }) => String(request).startsWith('held-'));
  });
  return calls;
}

for (const [way, drain] of Object.entries(WAYS)) {
  test(`of two instances under load, one that is drained by ${way} gets nothing new within a second and ends what runs`, async () => {
    await using gateway = await Gateway.start();
    await using programs = new AsyncDisposableStack();
    const [stayer, leaver] = [await start(gateway, programs), await start(gateway, programs)];
    const running = await runAt(leaver, gateway, way);
    const enough = load(gateway);
    const runsOf = ({ program }: Leaver) => program.all('ran').length;
    await until('both are at work', () => runsOf(leaver) > 20 && runsOf(stayer) > 20);

    const drained = performance.now();
    await drain(gateway, leaver);
    await pause(Math.max(0, QUIET_MS - (performance.now() - drained)));
    const before = { leaver: runsOf(leaver), stayer: runsOf(stayer) };
    await pause(WATCHED_MS);

    assert.equal(runsOf(leaver) - before.leaver, 0, 'nothing new');
    assert.ok(runsOf(stayer) - before.stayer > 20, 'the other one goes on');
    for (const reply of await enough()) assert.equal(answerOf(reply).status, 'ok');
    leaver.program.release();
    stayer.program.release();
    for (const reply of await Promise.all(running)) assert.equal(answerOf(reply).status, 'ok');
    // A second one would end it in the middle of what it does.
    if (way !== BY_SIGNAL) leaver.program.program.signal('SIGTERM');
    const exit = await within('the exit', leaver.program.program.exited);
    assert.deepEqual(exit, { code: 0, signal: null });
  });
}
