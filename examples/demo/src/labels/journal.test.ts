import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal, readNotes } from './journal.ts';

test('what several note down is read file by file, each in its order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-journal-'));
  const [b, a] = [new Journal(folder, 'b'), new Journal(folder, 'a')];

  b.note('accepted', ['t-1', 'queued'], ['t-2', 'queued']);
  a.note('begun', ['t-1', 1]);
  a.note('printed', ['t-1', 1]);
  appendFileSync(join(folder, 'a.log'), 'begun t-');
  const notes = readNotes(folder);

  assert.deepEqual(
    notes.map(({ by, word, taskId, detail }) => [by, word, taskId, detail].join(' ')),
    ['a begun t-1 1', 'a printed t-1 1', 'b accepted t-1 queued', 'b accepted t-2 queued'],
    'a line that is not whole yet is left for later',
  );
  rmSync(folder, { recursive: true });
});
