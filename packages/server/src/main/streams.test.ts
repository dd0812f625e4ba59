import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError, type StreamEvent, type TextStream } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { failsWith } from './testing/house.ts';
import { Streams } from './streams.ts';

/** Goes on until its signal, as exports and events do. */
async function* endless<T>(piece: T, signal: AbortSignal): AsyncGenerator<T> {
  while (!signal.aborted) yield piece;
}

const KINDS: Record<
  string,
  (signal: AbortSignal) => TextStream | AsyncIterable<StreamEvent<unknown>>
> = {
  'an export': (signal) => ({ type: 'text/csv', parts: endless('1,2\r\n', signal) }),
  'a stream of events': (signal) => endless({ data: { type: 'a' } }, signal),
};

for (const [what, begin] of Object.entries(KINDS)) {
  test(`${what} is cut off within a minute after its reader may read no longer`, async () => {
    const clock = new ManualClock();
    const streams = new Streams(clock, 1);
    const gone = new AbortController();
    let may = true;
    const recheck = async () => {
      if (!may) throw new ReachError('key-revoked', 'The client is not one any more.');
    };
    const opening = { tenant: 'acme', gone: gone.signal, recheck };
    const stream = await streams.open(opening, begin);
    const pieces = ('parts' in stream ? stream.parts : stream)[Symbol.asyncIterator]();
    await clock.advance(60_000);
    assert.equal((await pieces.next()).done, false);

    may = false;
    await clock.advance(59_999);
    assert.equal((await pieces.next()).done, false);
    await clock.advance(1);

    await assert.rejects(pieces.next(), failsWith('key-revoked'));
    gone.abort();
    assert.deepEqual([streams.of('acme'), clock.waiting], [0, 0], 'nothing of it is left');
  });
}
