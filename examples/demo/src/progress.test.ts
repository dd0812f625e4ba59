import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintFor } from './paint.ts';
import { barLine, Progress, screenOf } from './progress.ts';
import { widthOf } from './width.ts';

const plain = paintFor(false, {});
const step = { label: '面单', done: 500, total: 2_000, remark: '等 printer-2 的租约到期' };

/** A stream that remembers what was written to it. */
function streamOf(isTTY: boolean, columns: number) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { isTTY, columns, write, written };
}

test('a bar is never wider than its terminal, whatever has to go', () => {
  for (let width = 0; width <= 120; width++) {
    const line = barLine(step, width, plain);
    assert.ok(widthOf(line) <= width, `${widthOf(line)} of ${width}: ${line}`);
  }
  assert.equal(barLine(step, 120, plain).includes('租约'), true);
  assert.equal(barLine(step, 40, plain), '面单  █████░░░░░░░░░░░░░░░░░░   500/2000');
  assert.equal(barLine(step, 20, plain), '面单   500/2000');
  assert.equal(barLine(step, 9, plain), ' 500/2000');
  assert.equal(barLine(step, 5, plain), '');
});

test('on a terminal the bar is written over, and makes room for a line that stays', () => {
  const stream = streamOf(true, 40);
  const progress = new Progress(screenOf(stream, {}, plain));

  progress.show(step);
  progress.clear();
  progress.clear();

  assert.equal(stream.written.length, 2);
  assert.match(stream.written[0] ?? '', /^\r\x1b\[K面单 {2}█+░+ {3}500\/2000$/);
  assert.equal(stream.written[1], '\r\x1b[K');
});

test('elsewhere there is a line at each quarter, and nothing that moves a cursor', () => {
  for (const [stream, env] of [
    [streamOf(false, 80), {}],
    [streamOf(true, 80), { TERM: 'dumb' }],
  ] as const) {
    const progress = new Progress(screenOf(stream, env, plain));

    for (const done of [0, 499, 500, 501, 1_600, 2_000]) progress.show({ ...step, done });
    progress.clear();

    assert.deepEqual(stream.written, [
      '面单  500/2000\n',
      '面单  1600/2000\n',
      '面单  2000/2000\n',
    ]);
  }
});

test('NO_COLOR takes the colours and leaves the bar', () => {
  const stream = streamOf(true, 60);
  const progress = new Progress(screenOf(stream, {}, paintFor(true, { NO_COLOR: '1' })));

  progress.show(step);

  assert.match(stream.written[0] ?? '', /█░/);
  assert.doesNotMatch(stream.written[0] ?? '', /\x1b\[\d+m/);
});
