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
