import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { chooseVersion, drawVersion } from './canary.ts';

const both = new Set(['1.4', '2.0']);

test('each version has its share of many keys', (t) => {
  const salt = testRandom((line) => t.diagnostic(line)).below(2 ** 31);
  for (const share of [0.5, 10, 50, 99]) {
    const shares = { '1.4': 100 - share, '2.0': share };
    let drawn = 0;
    for (let i = 0; i < 100_000; i++) {
      if (drawVersion(shares, `s${salt}-${i}`) === '2.0') drawn += 1;
    }
    t.diagnostic(`${share} %: ${drawn / 1_000} %`);
    assert.ok(Math.abs(drawn / 1_000 - share) < 0.6, `${drawn} of 100000 at ${share} %`);
  }
});

test('a key draws the same version again, in whatever order versions are written', () => {
  for (let i = 0; i < 1_000; i++) {
    const key = `user-${i}`;
    const drawn = drawVersion({ '1.4': 70, '2.0': 30 }, key);
    assert.equal(drawVersion({ '2.0': 30, '1.4': 70 }, key), drawn);
  }
});

test('raising a share moves keys one way only', () => {
  for (let i = 0; i < 5_000; i++) {
    const key = `user-${i}`;
    const before = drawVersion({ '1.4': 90, '2.0': 10 }, key);
    const after = drawVersion({ '1.4': 75, '2.0': 25 }, key);
    if (before === '2.0') assert.equal(after, '2.0');
  }
});

test('a share of 0 is never drawn, and a version alone has everything', () => {
  for (let i = 0; i < 2_000; i++) {
    assert.equal(drawVersion({ '1.4': 100, '2.0': 0 }, `u${i}`), '1.4');
    assert.equal(drawVersion({ '1.4': 0, '2.0': 100 }, `u${i}`), '2.0');
  }
});

test('where nobody of the drawn version is there the largest of the others takes it, with a warning', () => {
  const shares = { '1.4': 60, '2.0': 10, '3.0': 30 };
  const choice = chooseVersion(shares, new Set(['2.0', '3.0']), { key: 'k', fixed: '1.4' });

  assert.equal(choice.version, '3.0');
  assert.match(choice.warning ?? '', /Nobody of version 1\.4 is there; 3\.0 takes it/);
});

test('nobody who has no share takes it, and that is told', () => {
  const choice = chooseVersion({ '1.4': 100, '2.0': 0 }, new Set(['2.0']), {
    key: 'k',
    fixed: undefined,
  });

  assert.equal(choice.version, undefined);
  assert.match(choice.warning ?? '', /no version that has a share is/);
});

test('stateful work has its own version, whatever it would draw', () => {
  for (let i = 0; i < 200; i++) {
    const draw = { key: `u${i}`, fixed: '1.4' };
    assert.deepEqual(chooseVersion({ '1.4': 50, '2.0': 50 }, both, draw), {
      version: '1.4',
      warning: undefined,
    });
  }
});
