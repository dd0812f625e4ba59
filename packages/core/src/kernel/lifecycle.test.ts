import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, settled } from '../testing/manual-clock.ts';
import { inOrder, loop, type Service } from './lifecycle.ts';

interface Faults {
  start?: Error;
  stop?: Error;
}

/** A service that notes what is done to it. */
function noted(name: string, notes: string[], faults: Faults = {}): Service {
  return {
    async start() {
      await settled();
      if (faults.start !== undefined) throw faults.start;
      notes.push(`start ${name}`);
    },
    async stop() {
      await settled();
      notes.push(`stop ${name}`);
      if (faults.stop !== undefined) throw faults.stop;
    },
  };
}

test('services start in order and stop in reverse', async () => {
  const notes: string[] = [];
  const all = inOrder([noted('a', notes), noted('b', notes), noted('c', notes)]);

  await all.start();
  await all.stop();

  assert.deepEqual(notes, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a service that fails to start has those before it stopped in reverse, and its error told', async () => {
  const notes: string[] = [];
  const fault = new Error('no port');
  const all = inOrder([
    noted('a', notes),
    noted('b', notes, { stop: new Error('echo') }),
    noted('c', notes, { start: fault }),
    noted('d', notes),
  ]);

  await assert.rejects(all.start(), (error) => error === fault);

  assert.deepEqual(notes, ['start a', 'start b', 'stop b', 'stop a']);
  await all.stop();
  assert.equal(notes.length, 4);
});

test('stopping before starting and stopping twice are fine', async () => {
  const notes: string[] = [];
  const all = inOrder([noted('a', notes)]);

  await all.stop();
  await all.start();
  await all.stop();
  await all.stop();

  assert.deepEqual(notes, ['start a', 'stop a']);
});

test('starting twice starts once, and starting after a stop starts again', async () => {
  const notes: string[] = [];
  const all = inOrder([noted('a', notes)]);

  await Promise.all([all.start(), all.start()]);
  await all.stop();
  await all.start();

  assert.deepEqual(notes, ['start a', 'stop a', 'start a']);
});

test('a second stop returns when everything has stopped, in the one order', async () => {
  const notes: string[] = [];
  const all = inOrder([noted('a', notes), noted('b', notes)]);
  await all.start();

  void all.stop();
  await all.stop();

  assert.deepEqual(notes.slice(2), ['stop b', 'stop a']);
});

test('a stop in the middle of a start leaves nothing running', async () => {
  const notes: string[] = [];
  const all = inOrder([noted('a', notes), noted('b', notes)]);

  const starting = all.start();
  await all.stop();
  await starting;

  assert.deepEqual(notes, ['start a', 'start b', 'stop b', 'stop a']);
});

test('a service that fails to stop does not keep the others running', async () => {
  const notes: string[] = [];
  const fault = new Error('stuck');
  const all = inOrder([noted('a', notes), noted('b', notes, { stop: fault }), noted('c', notes)]);
  await all.start();

  await assert.rejects(all.stop(), (error: AggregateError) => error.errors[0] === fault);

  assert.deepEqual(notes.slice(3), ['stop c', 'stop b', 'stop a']);
  await all.stop();
});

/** A loop whose rounds end when the test says so. */
function steered(pauseMs = 10) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const rounds: { signal: AbortSignal; end: () => void; fail: (error: unknown) => void }[] = [];
  let under = 0;
  let most = 0;
  const service = loop({
    clock,
    pauseMs: () => pauseMs,
    onError: (error) => errors.push(error),
    round(signal) {
      most = Math.max(most, ++under);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      rounds.push({ signal, end: resolve, fail: reject });
      return promise.finally(() => under--);
    },
  });
  return { clock, errors, rounds, service, most: () => most };
}

test('a loop pauses before each round, the first one too', async () => {
  const { clock, rounds, service } = steered();
  await service.start();

  await clock.advance(9);
  assert.equal(rounds.length, 0);
  await clock.advance(1);
  assert.equal(rounds.length, 1);
  await clock.advance(100);
  assert.equal(rounds.length, 1, 'the round has not ended');
  rounds[0]?.end();
  await settled();
  await clock.advance(10);
  assert.equal(rounds.length, 2);

  rounds[1]?.end();
  await service.stop();
});

test('a loop that is started twice runs once', async () => {
  const { clock, rounds, service } = steered();
  await service.start();
  await service.start();

  await clock.advance(10);

  assert.equal(rounds.length, 1);
  rounds[0]?.end();
  await service.stop();
  assert.equal(clock.waiting, 0);
});

test('a round that throws is told and the loop goes on', async () => {
  const { clock, errors, rounds, service } = steered();
  await service.start();
  await clock.advance(10);
  const fault = new Error('no store');

  rounds[0]?.fail(fault);
  await settled();
  await clock.advance(10);

  assert.deepEqual(errors, [fault]);
  assert.equal(rounds.length, 2);
  rounds[1]?.end();
  await service.stop();
});

test('every stop waits for the running round, which is told to end', async () => {
  const { clock, rounds, service } = steered();
  await service.start();
  await clock.advance(10);
  const stopped: string[] = [];

  const both = [service.stop().then(() => stopped.push('first'))];
  both.push(service.stop().then(() => stopped.push('second')));
  await settled();
  assert.deepEqual(stopped, []);
  assert.equal(rounds[0]?.signal.aborted, true);
  rounds[0]?.end();
  await Promise.all(both);

  assert.deepEqual(stopped, ['first', 'second']);
  assert.equal(clock.waiting, 0);
});

test('a round that gives up because the loop stops is no error', async () => {
  const { clock, errors, rounds, service } = steered();
  await service.start();
  await clock.advance(10);

  const stopping = service.stop();
  rounds[0]?.fail(rounds[0].signal.reason);
  await stopping;

  assert.deepEqual(errors, []);
});

test('a loop stopped and started again in the middle of a round never runs two', async () => {
  const { clock, rounds, service, most } = steered();
  await service.start();
  await clock.advance(10);

  const stopping = service.stop();
  await service.start();
  await clock.advance(50);
  assert.equal(rounds.length, 1);
  rounds[0]?.end();
  await stopping;
  await clock.advance(10);

  assert.equal(rounds.length, 2);
  assert.equal(most(), 1);
  rounds[1]?.end();
  await service.stop();
});

test('a loop that is stopped while pausing never begins its round', async () => {
  const { clock, rounds, service } = steered();
  await service.stop();
  await service.start();
  await clock.advance(5);

  await service.stop();
  await clock.advance(100);

  assert.equal(rounds.length, 0);
  assert.equal(clock.waiting, 0);
});
