import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { nearest, nearestOf } from './nearest.ts';

const all = { most: 3, mayTell: () => true };

test('names are near whatever their case and joints, as a whole or by their last part', () => {
  const known = ['order.status', 'Order_Status_v2', 'weather.forecast', 'shop.v2.orderstatus'];
  assert.deepEqual(nearestOf('ORDER-STATUS', known, all).slice(0, 1), ['order.status']);
  assert.deepEqual(nearestOf('forecast', known, all), ['weather.forecast']);
  assert.deepEqual(nearestOf('eu.shop.weather.forecast', known, all), ['weather.forecast']);
  assert.deepEqual(nearestOf('refund', known, all), []);
});

test('who may not be told is passed over for the next', () => {
  const known = ['order.status', 'order.state', 'order.stats'];
  const asked: string[] = [];
  const mayTell = (name: string) => asked.push(name) > 1;
  assert.deepEqual(nearestOf('order.statu', known, { most: 1, mayTell }), ['order.stats']);
  assert.deepEqual(asked, ['order.state', 'order.stats']);
});

/** By the definition, without a short cut. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return distance(x, y);
  return 1 + Math.min(distance(x, b), distance(a, y), distance(x, y));
}

test('no short cut leaves out a name that is near, or takes one that is not', () => {
  const seed = 11;
  const random = seededRandom(seed);
  const letters = 'abcABé._-';
  const name = () =>
    Array.from({ length: 2 + random.below(5) }, () => letters[random.below(letters.length)]).join(
      '',
    );
  const bare = (text: string) => text.toLowerCase().replaceAll(/[._-]+/g, ' ');
  for (let round = 0; round < 1_000; round++) {
    const [one, other] = [name(), name()];
    const [a, b] = [bare(one), bare(other)];
    const limit = Math.floor(a.length / 3) + 1;
    const isNear = b.endsWith(` ${a}`) || a.endsWith(` ${b}`) ? limit > 1 : distance(a, b) < limit;
    const found = nearestOf(one, [other], all);
    assert.equal(found.length === 1, isNear, `seed ${seed}: ${one} and ${other}`);
    const isNearest = distance(one, other) < Math.floor(one.length / 3) + 1;
    assert.equal(nearest(one, [other]) === other, isNearest, `seed ${seed}: ${one} and ${other}`);
  }
});
