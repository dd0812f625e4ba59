import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readOptions } from './options.ts';

test('without arguments: a tour in the language of the machine', () => {
  const languages = [
    [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'de_DE.UTF-8' }, 'en'],
    [{ LANG: 'en_US', LC_ALL: 'zh_TW' }, 'zh'],
    [{}, 'en'],
  ] as const;

  for (const [env, language] of languages) {
    assert.deepEqual(readOptions([], env), {
      questions: undefined,
      language,
      tasks: 2_000,
      keep: false,
      secure: false,
      help: false,
    });
  }
});

test('questions come from the command line, then from files, without blank lines and comments', () => {
  const dir = mkdtempSync(join(tmpdir(), 'demo-options-'));
  const file = join(dir, 'questions.txt');
  writeFileSync(file, '# mine\n我的快递到哪了？\r\n\n  Where is my parcel?  \n');

  const options = readOptions(['--file', file, '--ask', 'first', '--lang', 'zh', '--keep'], {});
  writeFileSync(file, '# nothing\n');

  assert.deepEqual(options.questions, ['first', '我的快递到哪了？', 'Where is my parcel?']);
  assert.deepEqual([options.language, options.keep, options.secure], ['zh', true, false]);
  assert.equal(readOptions(['--secure'], {}).secure, true);
  assert.throws(() => readOptions(['--file', file], {}), /no question/);
  rmSync(dir, { recursive: true });
});

test('a wrong command line is a TypeError that names what is wrong', () => {
  for (const [args, message] of [
    [['--lang', 'fr'], /zh or en, not fr/],
    [['--file', '/nowhere/questions.txt'], /\/nowhere\/questions\.txt cannot be read/],
    [['--tasks', '99'], /from 100 to 20000, not 99/],
    [['--tasks', '1e4'], /not 1e4/],
    [['--bogus'], /--bogus/],
    [['stray'], /stray/],
  ] as const) {
    assert.throws(() => readOptions(args, {}), { name: 'TypeError', message });
  }
});
