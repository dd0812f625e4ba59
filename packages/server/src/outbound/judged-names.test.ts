import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@agent-reach/core/testing';
import { parseEgressRules } from './address-rules.ts';
import { type JudgedNamesOptions, openJudgedNames, systemResolve } from './judged-names.ts';
import { readTarget } from './url-rules.ts';

function openNames(options: Partial<JudgedNamesOptions> = {}) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const rules = parseEgressRules({ allow: ['10.0.0.0/8'], allowLoopback: false });
  const names = openJudgedNames({
    rules,
    clock,
    resolve: async (host) => {
      asked.push(host);
      return ['10.0.0.1'];
    },
    ttlMs: 5_000,
    namesMax: 2,
    ...options,
  });
  return { judge: async (url: string) => await names.judge(readTarget(url)), names, clock, asked };
}

test('a name is judged again only when its time is over', async () => {
  const { judge, clock, asked } = openNames();

  await judge('http://a.test/x');
  await clock.advance(4_999);
  await judge('http://a.test/y');
  assert.equal(asked.length, 1);
  await clock.advance(1);
  await judge('http://a.test/z');

  assert.equal(asked.length, 2);
});

test('a name that is known, and a literal, are judged without a turn of the loop', async () => {
  const { judge, names } = openNames();
  await judge('http://a.test/');

  assert.ok(!(names.judge(readTarget('http://a.test/')) instanceof Promise));
  assert.ok(!(names.judge(readTarget('http://10.0.0.7/')) instanceof Promise));
  assert.ok(names.judge(readTarget('http://b.test/')) instanceof Promise);
});

test('names asked for at once share one lookup', async () => {
  const { judge, asked } = openNames();

  await Promise.all([judge('http://a.test/'), judge('http://a.test/'), judge('http://b.test/')]);

  assert.deepEqual(asked, ['a.test', 'b.test']);
});

test('a name that does not resolve is asked for again at once', async () => {
  let fails = true;
  const { judge } = openNames({
    resolve: async () => {
      if (fails) throw new Error('ENOTFOUND');
      return ['10.0.0.1'];
    },
  });

  assert.deepEqual((await judge('http://a.test/')).verdict, {
    verdict: 'unresolved',
    detail: 'a.test does not resolve: ENOTFOUND',
  });
  fails = false;

  assert.equal((await judge('http://a.test/')).verdict.verdict, 'allowed');
});

test('a name without an address does not resolve', async () => {
  const { judge } = openNames({ resolve: async () => [] });

  assert.equal((await judge('http://a.test/')).verdict.verdict, 'unresolved');
});

test('a refusal is remembered like an allowance', async () => {
  let asked = 0;
  const { judge } = openNames({
    resolve: async () => {
      asked++;
      return ['192.168.0.1'];
    },
  });

  assert.equal((await judge('http://a.test/')).verdict.verdict, 'refused');
  await judge('http://a.test/');

  assert.equal(asked, 1);
});

test('no more names are remembered than the limit', async () => {
  const { judge, asked } = openNames();

  for (const name of ['a', 'b', 'c', 'a']) await judge(`http://${name}.test/`);

  assert.deepEqual(asked, ['a.test', 'b.test', 'c.test', 'a.test']);
});

test('the same addresses in another order are the same pool, other addresses are another', async () => {
  let addresses = ['10.0.0.1', '10.0.0.2'];
  const { judge } = openNames({ ttlMs: 0, resolve: async () => addresses });
  const first = await judge('http://a.test/');
  addresses = ['10.0.0.2', '10.0.0.1'];
  const turned = await judge('http://a.test/');
  addresses = ['10.0.0.2'];
  const moved = await judge('http://a.test/');

  assert.equal(turned.poolKey, first.poolKey);
  assert.notEqual(moved.poolKey, first.poolKey);
});

test('the machine itself resolves localhost to loopback', async () => {
  for (const address of await systemResolve('localhost')) assert.match(address, /^(127\.|::1$)/);
});
