import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Line, type Wire } from './line.ts';

/** An engine whose connections the test makes, breaks and silences. */
function engine() {
  const clock = new ManualClock();
  const state = {
    isUp: true,
    answers: true,
    opens: true,
    opened: 0,
    closed: 0,
    abandoned: 0,
    sent: [] as string[],
  };
  let on: Parameters<ConstructorParameters<typeof Line>[0]['open']>[0] | undefined;
  const open = async (ears: NonNullable<typeof on>): Promise<Wire> => {
    if (!state.isUp) throw new Error('refused');
    if (!state.opens) return silence(ears.signal);
    state.opened += 1;
    on = ears;
    return {
      send: async (text) => void state.sent.push(text),
      ping: () => (state.answers ? Promise.resolve() : new Promise(() => {})),
      close: () => void (state.closed += 1),
    };
  };
  const silence = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (state.abandoned += 1));
    return new Promise<Wire>(() => {});
  };
  const line = new Line({ engine: 'it', open, clock, random: seededRandom(1), log: silentLog });
  const heard: string[] = [];
  const ear = {
    heard: (text: string) => void heard.push(text),
    missed: () => void heard.push('!'),
  };
  return {
    clock,
    state,
    line,
    ear,
    heard,
    tell: (text: string) => on?.heard(text),
    breaks: () => on?.lost(new Error('reset')),
  };
}

test('what is told is heard, and what is said goes out', async () => {
  const { line, ear, heard, state, tell } = engine();
  await line.listen(ear);

  tell('one');
  line.send('two');

  assert.deepEqual([heard, state.sent], [['one'], ['two']]);
  await line.close();
  await line.close();
  assert.equal(state.closed, 1);
});

test('a connection that breaks is made anew, and who listens is told that he may have missed something', async () => {
  const { line, ear, heard, state, tell, breaks, clock } = engine();
  await line.listen(ear);

  breaks();
  await clock.advance(1);
  await clock.advance(100);
  tell('again');

  assert.deepEqual(heard, ['!', 'again']);
  assert.deepEqual([state.opened, state.closed], [2, 1]);
  await line.close();
});

test('one that does not answer a ping within two seconds is given up', async () => {
  const { line, ear, heard, state, clock } = engine();
  await line.listen(ear);
  await clock.advance(60_000);
  assert.equal(state.opened, 1);

  state.answers = false;
  await clock.advance(3_900);
  assert.equal(state.closed, 0);
  await clock.advance(100);
  state.answers = true;
  await clock.advance(2_000);

  assert.deepEqual(heard, ['!']);
  assert.equal(state.closed, 1);
  await line.close();
});

test('listening does not wait for an engine that is away, and hears once it is back', async () => {
  const { line, ear, heard, state, tell, clock } = engine();
  state.isUp = false;
  await line.listen(ear);
  line.send('into the void');
  await clock.advance(30_000);

  state.isUp = true;
  await clock.advance(2_100);
  tell('here');

  assert.deepEqual(heard, ['!', 'here']);
  assert.deepEqual(state.sent, []);
  await line.close();
});

test('closing in the middle of an attempt leaves nothing open', async () => {
  const { line, ear, state } = engine();
  const listening = line.listen(ear);
  await line.close();
  await listening;

  assert.equal(state.opened, state.closed);
});

test('an engine that takes a connection and says nothing is given up, and asked again', async () => {
  const { line, ear, heard, state, tell, clock } = engine();
  state.opens = false;
  const listening = line.listen(ear);
  await clock.advance(3_999);
  assert.equal(state.abandoned, 0);

  await clock.advance(1);
  await listening;
  state.opens = true;
  await clock.advance(100);
  tell('here');

  assert.equal(state.abandoned, 1);
  assert.deepEqual(heard, ['!', 'here']);
  await line.close();
});

test('closing does not wait for an engine that says nothing', async () => {
  const { line, ear, state } = engine();
  state.opens = false;
  const listening = line.listen(ear);

  await line.close();
  await listening;

  assert.equal(state.abandoned, 1);
});
