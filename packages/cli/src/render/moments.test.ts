import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, millis, readMoment, span } from './moments.ts';

test('a moment is read as Date reads it, over leap years, zones and fractions', () => {
  const texts = [
    '1970-01-01T00:00:00Z',
    '2024-02-29T23:59:59.999Z',
    '2000-03-01T00:00:00Z',
    '2026-11-30T05:00:00+08:00',
    '2026-11-30T05:00:00.5-03:30',
    '1969-12-31T23:59:59Z',
    '2026-11-30',
  ];

  for (const text of texts) assert.equal(readMoment(text), Date.parse(text), text);
});

test('what is no moment is not read', () => {
  for (const text of ['', 'yesterday', '2026-13-01', '2026-11-30T24:00:00Z', '1764478800']) {
    assert.equal(readMoment(text), undefined, text);
  }
});

test('spans are said in their largest unit', () => {
  assert.equal(span(0.44), '0.4 ms');
  assert.equal(span(250), '250 ms');
  assert.equal(span(90_000), '1 min');
  assert.equal(ago(1_000, 61_000), '1 min ago');
  assert.equal(ago(1_000, 1_500), 'now');
  assert.equal(millis(12.34), '12');
});
