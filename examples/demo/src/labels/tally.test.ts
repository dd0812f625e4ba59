import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note, Word } from './journal.ts';
import { inHandsOf, tally } from './tally.ts';

const note = (by: string, word: Word, taskId: string, detail = '1'): Note => ({
  by,
  word,
  taskId,
  detail,
});

/** A task that goes as it should. */
const whole = (taskId: string, by = 'a'): Note[] => [
  note('submitter', 'accepted', taskId, 'queued'),
  note(by, 'begun', taskId),
  note(by, 'printed', taskId),
  note('submitter', 'ended', taskId, 'succeeded'),
];

test('what was begun, printed and told once is neither lost nor double', () => {
  const counts = tally([...whole('t-1'), ...whole('t-2', 'b'), ...whole('t-3', 'b')]);

  assert.deepEqual([counts.submitted, counts.printed], [3, 3]);
  assert.deepEqual(
    [...counts.printedBy],
    [
      ['a', 1],
      ['b', 2],
    ],
  );
  assert.deepEqual([counts.redelivered, counts.lost, counts.double], [[], [], []]);
});

test('lost is what was accepted and never printed, or whose end nobody was told', () => {
  const unprinted = whole('t-1').filter(({ word }) => word !== 'printed');
  const untold = whole('t-2').filter(({ word }) => word !== 'ended');
  const dead = whole('t-3').map((one) => (one.word === 'ended' ? { ...one, detail: 'dead' } : one));

  const { lost } = tally([...unprinted, ...untold, ...dead]);

  assert.deepEqual(lost, ['t-1', 't-2', 't-3']);
});

test('double is what was printed twice, by whomever', () => {
  const counts = tally([...whole('t-1'), note('b', 'printed', 't-1'), note('a', 'printed', 't-1')]);

  assert.deepEqual(counts.double, ['t-1']);
  assert.deepEqual([counts.printed, counts.lost], [1, []]);
});

test('a task that is begun again and found printed is redelivered, and not double', () => {
  const notes = [...whole('t-1'), note('b', 'begun', 't-1', '2'), note('b', 'found', 't-1', '2')];

  const { redelivered, double, lost } = tally(notes);

  assert.deepEqual([redelivered, double, lost], [['t-1'], [], []]);
});

test('in the hands of a printer is what it has begun and not ended', () => {
  const notes = [
    ...whole('t-1'),
    note('a', 'begun', 't-2'),
    note('a', 'begun', 't-3'),
    note('a', 'found', 't-3'),
    note('b', 'begun', 't-4'),
  ];

  assert.deepEqual(inHandsOf('a', notes), ['t-2']);
});
