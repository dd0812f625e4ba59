import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { breathe } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Company, type CompanyOptions } from './company.ts';
import { ConnectionFailed } from './failure.ts';

type Way = PromiseWithResolvers<string[]> & { moves: string[]; limitMs: number };

/** A company whose ways the test sees, and ends. A move is answered by its own name. */
function open(options: Partial<CompanyOptions<string, string>> = {}) {
  const clock = new ManualClock();
  const ways: Way[] = [];
  const company = new Company<string, string>({
    clock,
    timeoutMs: 2_000,
    carry(moves, limitMs) {
      const way = { ...Promise.withResolvers<string[]>(), moves, limitMs };
      ways.push(way);
      return way.promise;
    },
    weigh: () => 1,
    fits: () => true,
    ...options,
  });
  /** The `n`-th way ends well. */
  const arrive = async (n: number) => {
    ways[n]?.resolve(ways[n].moves);
    await breathe();
    await breathe();
  };
  const fail = async (n: number, error: unknown) => {
    ways[n]?.reject(error);
    await breathe();
    await breathe();
  };
  const left = () => ways.map(({ moves }) => moves.join(' '));
  return { clock, ways, company, arrive, fail, left };
}

test('moves of one turn leave together, and each is answered by itself', async () => {
  const { company, arrive, left } = open();
  const asked = ['a', 'b', 'c'].map((move) => company.ask(move));
  await breathe();

  await arrive(0);

  assert.deepEqual(left(), ['a b c']);
  assert.deepEqual(await Promise.all(asked), ['a', 'b', 'c']);
});

test('what is asked while two are on their way leaves together when one is back', async () => {
  const { company, arrive, left } = open();
  const asked: Promise<string>[] = [];
  for (const move of ['a', 'b', 'c', 'd', 'e']) {
    asked.push(company.ask(move));
    await breathe();
  }
  assert.deepEqual(left(), ['a', 'b']);

  await arrive(1);

  assert.deepEqual(left(), ['a', 'b', 'c d e']);
  await Promise.all([arrive(0), arrive(2)]);
  assert.deepEqual(await Promise.all(asked), ['a', 'b', 'c', 'd', 'e']);
});

test('a way takes 200 tasks, and a larger move goes alone', async () => {
  const { company, arrive, left } = open({ weigh: Number });
  const asked = ['100', '100', '1', '900', '1'].map((move) => company.ask(move));
  await breathe();
  await breathe();
  assert.deepEqual(left(), ['100 100', '1']);

  await arrive(0);
  await arrive(1);
  await arrive(2);
  await arrive(3);

  assert.deepEqual(left(), ['100 100', '1', '900', '1']);
  await Promise.all(asked);
});

test('who does not fit leaves with the next, and nobody before the head of the line', async () => {
  const fits = (move: string, others: readonly string[]) => move[0] === others[0]?.[0];
  const { company, arrive, left } = open({ fits });
  const asked = ['a1', 'b1', 'a2', 'b2', 'c1'].map((move) => company.ask(move));
  await breathe();
  await breathe();

  for (const n of [0, 1, 2]) await arrive(n);

  assert.deepEqual(left(), ['a1 a2', 'b1 b2', 'c1']);
  await Promise.all(asked);
});

test('of a batch that fails each goes on alone, and the one at fault fails alone', async () => {
  const { company, arrive, fail, left } = open();
  const asked = ['a', 'bad', 'c'].map((move) => company.ask(move));
  const outcomes = Promise.allSettled(asked);
  await breathe();

  await fail(0, new ReachError('internal', 'one of them cannot be'));
  assert.deepEqual(left(), ['a bad c', 'a', 'bad', 'c']);
  await fail(2, new ReachError('internal', 'it cannot be'));
  await Promise.all([arrive(1), arrive(3)]);

  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  await assert.rejects(asked[1] as Promise<string>, /it cannot be/);
});

test('a store that is away, or may have done it, is told to all of a batch', async () => {
  for (const executed of ['no', 'unknown'] as const) {
    const { company, fail, left } = open();
    const asked = ['a', 'b'].map((move) => company.ask(move));
    const outcomes = Promise.allSettled(asked);
    await breathe();

    const cause = new ConnectionFailed('gone');
    await fail(0, new ReachError('store-unavailable', 'It is away.', { executed }, cause));

    await outcomes;
    for (const move of asked) await assert.rejects(move, { code: 'store-unavailable', executed });
    assert.deepEqual(left(), ['a b']);
  }
});

test('a move stands in line for half its time, and the rest is for its way', async () => {
  const { clock, company, ways, arrive } = open();
  const first = [company.ask('a')];
  await breathe();
  first.push(company.ask('b'));
  await breathe();
  const late = company.ask('c');
  const refused = assert.rejects(late, { code: 'store-unavailable', executed: 'no' });
  await clock.advance(500);
  const inTime = company.ask('d');

  await clock.advance(500);
  await refused;
  await clock.advance(499);
  await arrive(0);

  assert.deepEqual(
    ways.map(({ moves, limitMs }) => [moves.join(' '), limitMs]),
    [
      ['a', 2_000],
      ['b', 2_000],
      ['d', 1_001],
    ],
  );
  await Promise.all([arrive(1), arrive(2)]);
  assert.deepEqual(await Promise.all([...first, inTime]), ['a', 'b', 'd']);
  assert.equal(clock.waiting, 0);
});

test('whose time is up when his batch fails is not sent out again', async () => {
  const { clock, company, fail, left } = open();
  const asked = ['a', 'b'].map((move) => company.ask(move));
  const outcomes = Promise.allSettled(asked);
  await breathe();
  await clock.advance(2_000);

  await fail(0, new ReachError('internal', 'one of them cannot be'));

  assert.deepEqual(left(), ['a b']);
  assert.ok((await outcomes).every(({ status }) => status === 'rejected'));
});

test('those who stand behind ten thousand are turned away', async () => {
  const { company } = open();
  const asked = Array.from({ length: 10_000 }, (_, n) => company.ask(`${n}`));
  await assert.rejects(company.ask('one more'), { code: 'store-unavailable' });
  assert.equal(asked.length, 10_000);
});

test('a flush waits for what was asked, whatever becomes of it', async () => {
  const { company, fail } = open();
  const refused = assert.rejects(company.ask('a'), /it cannot be/);
  let isFlushed = false;
  const flushed = company.flush().then(() => {
    isFlushed = true;
  });
  await breathe();
  assert.equal(isFlushed, false);

  await fail(0, new ReachError('internal', 'it cannot be'));

  await Promise.all([refused, flushed]);
  await company.flush();
});
