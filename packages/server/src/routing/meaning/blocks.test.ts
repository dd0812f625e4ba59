import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { BLOCK_MAX, Blocks } from './blocks.ts';

test('no block reaches into another or over the end of its page, whatever their lengths', () => {
  const seed = 9;
  const random = seededRandom(seed);
  const blocks = new Blocks();
  const taken: { place: number; numbers: number; mark: number }[] = [];
  const fill = ({ place, numbers, mark }: (typeof taken)[number]) => {
    const page = blocks.pageOf(place);
    const within = blocks.withinPage(place);
    for (let i = 0; i < numbers; i++) page[within + i] = mark + i;
  };
  for (let mark = 0; mark < 4_000_000; mark += 1_000) {
    const numbers = 2 + random.below(BLOCK_MAX - 1);
    const own = { place: blocks.take(numbers), numbers, mark };
    fill(own);
    taken.push(own);
    if (random.below(4) > 0) continue;
    const [gone] = taken.splice(random.below(taken.length), 1);
    if (gone !== undefined) blocks.giveBack(gone.place, gone.numbers);
  }
  for (const { place, numbers, mark } of taken) {
    const within = blocks.withinPage(place);
    const found = blocks.pageOf(place).subarray(within, within + numbers);
    const expected = Array.from({ length: numbers }, (_, i) => mark + i);
    assert.deepEqual([...found], expected, `seed ${seed}, place ${place}`);
  }
});

test('what was given back is taken again by the next of that length', () => {
  const blocks = new Blocks();
  const first = blocks.take(5);
  blocks.take(5);
  blocks.giveBack(first, 7);
  assert.notEqual(blocks.take(3), first);
  assert.equal(blocks.take(8), first);
});
