import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from './errors.ts';
import { byeText, EventReader, eventText, failureText } from './stream.ts';

const TEXT = `retry: 3000\n\n: ping\n\n${eventText({ id: 'e.1', data: { type: 'snapshot', name: '名称 é' } })}${eventText(
  { data: { type: 'gap' } },
)}${byeText('stopping', 2_500)}`;

test('what was written is read, however it is cut', () => {
  for (let size = 1; size < TEXT.length; size++) {
    const reader = new EventReader();
    const got = [];
    for (let at = 0; at < TEXT.length; at += size)
      got.push(...reader.read(TEXT.slice(at, at + size)));

    assert.deepEqual(got, [
      { is: 'event', id: 'e.1', data: { type: 'snapshot', name: '名称 é' } },
      { is: 'event', id: 'e.1', data: { type: 'gap' } },
      { is: 'bye', retryMs: 2_500 },
    ]);
    assert.equal(reader.retryMs, 2_500);
  }
});

test('lines may end as any server ends them, and what is unknown is passed over', () => {
  const reader = new EventReader();

  const got = reader.read(
    'id: 7\r\nmoon: 1\r\ndata: {"type":\r\ndata:"a"}\r\n\r\n:\rdata\rretry: x\r\r',
  );

  assert.deepEqual(got, [{ is: 'event', id: '7', data: { type: 'a' } }]);
  assert.equal(reader.retryMs, undefined);
});

test('the failure of a stream is read as it was thrown', () => {
  const error = new ReachError('rate-limited', 'Too much.', { retry_after_ms: 7 });

  const [got] = new EventReader().read(failureText(error));

  assert.ok(got?.is === 'error');
  assert.deepEqual(
    [got.error.code, got.error.message, got.error.facts.retry_after_ms],
    ['rate-limited', 'Too much.', 7],
  );
});

test('data that is no JSON is refused', () => {
  assert.throws(() => new EventReader().read('data: nonsense\n\n'), /no JSON/);
});

test('a line may end with a piece, whichever way lines end', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['id: 7', 'data: {"type":"a"}', '', 'data: {"type":"b"}', '', ''].join(end);
    for (let size = 1; size <= text.length; size++) {
      const reader = new EventReader();
      const got = [];
      for (let at = 0; at < text.length; at += size)
        got.push(...reader.read(text.slice(at, at + size)), ...reader.read(''));

      assert.deepEqual(
        got,
        ['a', 'b'].map((type) => ({ is: 'event', id: '7', data: { type } })),
        `${JSON.stringify(end)}, ${size} characters each`,
      );
    }
  }
});

// Where each piece is looked through together with all before it, this takes minutes.
test('a large event in many small pieces is read in one go', { timeout: 20_000 }, () => {
  const name = 'x'.repeat(4 * 1024 * 1024);
  const text = eventText({ data: { type: 'snapshot', name } });
  const reader = new EventReader();
  const got = [];
  for (let at = 0; at < text.length; at += 16) got.push(...reader.read(text.slice(at, at + 16)));

  assert.deepEqual(got, [{ is: 'event', id: undefined, data: { type: 'snapshot', name } }]);
});

test('an event is read up to its bound, in one line or in many, and no further', () => {
  const fits = 'data: {"type":"a"}';
  const inLines = 'data: {"type"\ndata: :"a"}';
  const chars = fits.length;

  for (const [text, bound] of [
    [fits, chars],
    [inLines, inLines.length - 1],
  ] as const) {
    const reader = new EventReader(bound);
    // Each event has the whole bound for itself.
    for (let n = 0; n < 3; n++) assert.equal(reader.read(`${text}\n\n`).length, 1);
    for (const whole of [true, false]) {
      const narrow = new EventReader(bound - 1);
      const read = () => (whole ? [text] : text.split('')).map((piece) => narrow.read(piece));
      assert.throws(() => [...read(), narrow.read('\n')], /over \d+ characters/);
    }
  }
  assert.throws(() => new EventReader(20).read('data\n'.repeat(6)), /over 20 characters/);
  assert.throws(() => new EventReader(20).read(`:${'x'.repeat(20)}`), /over 20 characters/);
});
