import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { breathe } from '@agent-reach/core/kernel';
import { Company } from './company.ts';

/** A company whose messages are answered by hand. */
function open(weightMax = 3) {
  const sent: {
    moves: readonly string[];
    answer: (answers: string[]) => void;
    fail(e: Error): void;
  }[] = [];
  const company = new Company<string, string>({
    weightMax,
    send: (moves) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      sent.push({ moves, answer: resolve, fail: reject });
      return promise;
    },
  });
  return { company, sent, moves: () => sent.map(({ moves }) => moves) };
}

suite('a company', () => {
  test('moves of one turn travel together, and each is told its own answer', async () => {
    const { company, sent, moves } = open();
    const told = Promise.all([company.join('a'), Promise.resolve().then(() => company.join('b'))]);
    await breathe();

    assert.deepEqual(moves(), [['a', 'b']]);
    sent[0]?.answer(['A', 'B']);
    assert.deepEqual(await told, ['A', 'B']);
  });

  test('it takes on as much as it may, in the order asked; what is heavier travels alone', async () => {
    const { company, moves } = open(3);
    for (const [move, weight] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
      ['d', 9],
      ['e', 1],
    ] as const) {
      void company.join(move, weight);
    }
    await breathe();

    assert.deepEqual(moves(), [['a', 'b'], ['c'], ['d'], ['e']]);
  });

  test('who comes later waits for no answer to those before', async () => {
    const { company, sent, moves } = open();
    const early = company.join('a');
    await breathe();
    const late = company.join('b');
    await breathe();

    assert.deepEqual(moves(), [['a'], ['b']]);
    sent[1]?.answer(['B']);
    assert.equal(await late, 'B');
    sent[0]?.answer(['A']);
    assert.equal(await early, 'A');
  });

  test('a message that failed is told to all who were in it, and to nobody else', async () => {
    const { company, sent } = open(2);
    const told = Promise.allSettled(['a', 'b', 'c'].map((move) => company.join(move)));
    await breathe();
    sent[0]?.fail(new Error('cut'));
    sent[1]?.answer(['C']);

    const how = (await told).map((one) => (one.status === 'fulfilled' ? one.value : 'failed'));
    assert.deepEqual(how, ['failed', 'failed', 'C']);
  });
});
