import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Agent, silentLog } from '@agent-reach/sdk';
import { reach, serveIn } from './testing/processes.ts';

/** A gateway in a process of its own, and `reach` asking it. */
async function open() {
  const path = await mkdtemp(join(tmpdir(), 'reach-cli-'));
  const served = await serveIn(path);
  const endpoint = served.told.listeners[0]?.url ?? '';
  const env = { REACH_ENDPOINT: endpoint };
  return {
    path,
    endpoint,
    ask: (...args: string[]) => reach(args, { cwd: path, env }),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Submits a task that its agent breaks on, and waits until it is parked. */
function bury(house: Awaited<ReturnType<typeof open>>, id: string) {
  const args = ['--param', 'region=xx', '--max-retry', '0', '--id', id, '--wait', '20s'];
  return house.ask('tasks', 'submit', 'analyse', ...args);
}

/** An agent that pulls, refuses no region but `xx`, and breaks on that. */
function analyst(endpoint: string): Agent {
  return new Agent({ name: 'analyst', endpoint, handleSignals: false, log: silentLog }).handle(
    'analyse',
    ({ payload }: { payload: { region: string } }, ctx) => {
      ctx.progress(50, 'half way');
      if (payload.region === 'xx') throw new TypeError('No such region.');
      return { region: payload.region, sales: 7 };
    },
    {
      description: 'Sums up the sales of a region.',
      effect: 'read',
      input: { type: 'object', properties: { region: { type: 'string' } }, required: ['region'] },
    },
  );
}

test('a task is submitted before anybody can do it, explained, done, and looked back at', async () => {
  await using house = await open();
  const submitted = await house.ask(
    'tasks',
    'submit',
    'analyse',
    '--param',
    'region=eu',
    '--id',
    't-1',
  );
  assert.equal(submitted.code, 0, submitted.err);
  assert.match(submitted.out, /^task\tt-1\nstatus\tqueued\nahead\t0\ntrace\t/);
  assert.match(submitted.err, /^reach: warning: Nobody offers analyse\./);
  const why = await house.ask('tasks', 'why', 't-1');
  assert.match(why.out, /^t-1 is queued\n {2}\S/);

  await using agent = analyst(house.endpoint);
  await agent.start();
  const waited = await house.ask('tasks', 'get', 't-1', '--wait', '20s');
  assert.deepEqual([waited.code, waited.out], [0, '{"region":"eu","sales":7}\n'], waited.err);
  assert.match(waited.err, /^t-1 · analyst · run 1 of 4 · after /);
  const again = await house.ask('tasks', 'submit', 'analyse', '--param', 'region=us', '--wait');
  assert.deepEqual([again.code, again.out], [0, '{"region":"us","sales":7}\n'], again.err);

  const history = await house.ask('tasks', 'history', 't-1');
  assert.match(
    history.out,
    /\tdelivered\trunning\tacked\t[^\n]*\n(?:[^\n]*\n)*[^\n]*\tsucceeded\tcompleted\t/,
  );
  const listed = await house.ask('tasks', 'list', '--status', 'succeeded', '--agent', 'analyst');
  assert.equal(listed.out.split('\n').length, 3);
  assert.match(listed.out, /\nt-1\tanalyse\tsucceeded\t5\tanalyst\t1\/4\t/);
  const tailed = await house.ask('tasks', 'tail', 't-1');
  assert.equal(tailed.code, 0);
  assert.match(tailed.out, /\tt-1\tanalyse\tsucceeded\t1\/4\tanalyst\t/);
  const late = await house.ask('tasks', 'cancel', 't-1');
  assert.equal(late.out, 't-1 had ended already\n');
  const unknown = await house.ask('tasks', 'get', 'nobody');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /^reach: task-not-found: /);
});

test('a task that failed for good is found, mended, and the mending undone and redone', async () => {
  await using house = await open();
  await using agent = analyst(house.endpoint);
  await agent.start();
  const letters = (...args: string[]) => house.ask('dead-letters', ...args);
  const dead = await bury(house, 't-1');
  assert.equal(dead.code, 1);
  assert.match(dead.err, /^reach: dead: analyse failed \(TypeError\)/);
  const listed = await letters('list', '--json');
  const { groups } = JSON.parse(listed.out) as { groups: Record<string, unknown>[] };
  assert.deepEqual(
    groups.map(({ count, cause, agents }) => [count, cause, agents]),
    [[1, 'attempts-spent', ['analyst']]],
  );
  assert.match((await letters('show', 't-1')).out, /\npayload\t\{"region":"xx"\}\n/);

  const refused = await letters('edit', 't-1', '--payload', '{"region":7}');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^reach: validation-failed: [^\n]*region[^\n]*\n$/);
  await writeFile(join(house.path, 'p.json'), '{"region":"us"}');
  const edited = await letters('edit', 't-1', '--payload', '@p.json', '--reason', 'a typo');
  assert.equal(edited.code, 0, edited.err);
  assert.match((await letters('undo', 't-1')).out, /\npayload\t\{"region":"xx"\}\n/);
  assert.match((await letters('undo', 't-1')).out, /\npayload\t\{"region":"us"\}\n/);
  const shown = await letters('show', 't-1');
  assert.match(shown.out, /\nedit \d+ of [^\n]*: a typo\n {2}~ \/region "xx" → "us"\n/);
});

test('a mended task runs again, after a dry run or at once with its payload', async () => {
  await using house = await open();
  await using agent = analyst(house.endpoint);
  await agent.start();
  const letters = (...args: string[]) => house.ask('dead-letters', ...args);
  await Promise.all([bury(house, 't-1'), bury(house, 't-2')]);

  await letters('edit', 't-1', '--payload', '{"region":"us"}');
  const dry = await letters('redrive', 't-1', '--dry-run');
  assert.deepEqual([dry.code, dry.out], [0, 't-1\tanalyse\tyes\tanalyst\t\n'], dry.err);
  assert.equal((await letters('redrive', 't-1')).code, 0);
  const mended = await house.ask('tasks', 'get', 't-1', '--wait', '20s');
  assert.equal(mended.out, '{"region":"us","sales":7}\n', mended.err);
  const given = await letters('redrive', 't-2', '--payload', '{"region":"eu"}');
  assert.equal(given.code, 0, given.err);
  assert.equal((await house.ask('tasks', 'get', 't-2', '--wait', '20s')).code, 0);
  assert.equal((await letters('list')).out, '');
});

test('an order that stands still is seen, and goes on when its head is skipped', async () => {
  await using house = await open();
  await using agent = analyst(house.endpoint);
  await agent.start();
  const submit = (id: string, region: string) => {
    const param = `region=${region}`;
    const order = ['--source', 'u', '--ordered', '--max-retry', '0', '--id', id];
    return house.ask('tasks', 'submit', 'analyse', '--param', param, ...order);
  };
  await submit('t-1', 'xx');
  await house.ask('tasks', 'get', 't-1', '--wait', '20s');
  await submit('t-2', 'eu');

  const blocked = await house.ask('orders', 'get', 'u');
  assert.match(
    blocked.out,
    /^turn\t\tt-1\tdead\t[^\n]*attempts-spent[^\n]*\nbehind\t\tt-2\tblocked\t/,
  );
  assert.equal((await house.ask('dead-letters', 'skip', 't-1')).code, 0);
  const done = await house.ask('tasks', 'get', 't-2', '--wait', '20s');
  assert.equal(done.out, '{"region":"eu","sales":7}\n', done.err);
  assert.match((await house.ask('orders', 'get', 'u')).out, /^skipped\t\tt-1\tdead\t/);
});

test('what failed together is redriven at a pace', async () => {
  await using house = await open();
  await using agent = analyst(house.endpoint);
  await agent.start();
  const ids = ['t-1', 't-2', 't-3'];
  await Promise.all(ids.map((id) => bury(house, id)));

  const named = await house.ask('dead-letters', 'redrive', 't-1', 'nobody', '--rate', '100');
  assert.deepEqual([named.code, named.out], [1, 't-1 runs again\n']);
  assert.match(named.err, /^reach: nobody: task-not-found: /);
  await house.ask('tasks', 'get', 't-1', '--wait', '20s');
  const all = await house.ask('dead-letters', 'redrive', '--type', 'analyse', '--rate', '100');
  assert.equal(all.code, 0, all.err);
  assert.deepEqual(
    all.out.trim().split('\n').toSorted(),
    ids.map((id) => `${id} runs again`),
  );
});
