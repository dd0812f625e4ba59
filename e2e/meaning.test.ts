import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startAgent } from './kit/agents.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway, reach } from './kit/gateway.ts';
import { answerOf, dataOf, problemOf } from './kit/wire.ts';

let gateway: Gateway;

before(async () => {
  gateway = fileWide.use(await Gateway.start());
  const file = join(gateway.folder.path, 'effects');
  fileWide.use(await startAgent('worker', gateway, '--file', file));
});

test('an alias is found as an intent, and as a name it is told whose it is', async () => {
  for (const intent of ['数一数', 'Count Effects']) {
    const answer = answerOf(await gateway.call({ intent, params: {} }));
    assert.deepEqual([answer.provider.agent, answer.route.strategy], ['worker', 'exact_match']);
  }

  const named = problemOf(
    await gateway.call({ capability: 'count_effects', params: {} }),
    'capability-not-found',
  );
  assert.deepEqual(named.did_you_mean, ['look']);
  assert.match(named.detail, /It is an alias of look\./);
});

test('an operator’s strategy holds from the next intent on, and answers say whose word it is', async () => {
  const meaning = { intent: 'counts the effects', params: {} };
  const decide = async () =>
    dataOf('routes.decide', await gateway.post('/v1/routes', { ...meaning, explain: true }));
  const found = await decide();
  assert.deepEqual([found.outcome, found.capability], ['route', 'look']);

  const pinned = ['pins', 'capability', 'look', '--strategy', 'exact', '--endpoint', gateway.url];
  assert.equal((await reach(pinned)).code, 0);

  const none = await decide();
  assert.equal(none.outcome, 'none');
  assert.deepEqual([none.meaning?.named_only, none.meaning?.named_only_by], ['look', 'operator']);
  const told = problemOf(await gateway.call(meaning), 'capability-not-found');
  assert.match(told.detail, /look, which has strategy: exact in the policy pins, version 1\.$/);
  for (const by of [{ intent: '数一数' }, { capability: 'look' }]) {
    assert.equal(answerOf(await gateway.call({ ...by, params: {} })).provider.agent, 'worker');
  }
});
