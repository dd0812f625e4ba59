import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startAgent } from './kit/agents.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway } from './kit/gateway.ts';
import { answerOf, problemOf } from './kit/wire.ts';

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
