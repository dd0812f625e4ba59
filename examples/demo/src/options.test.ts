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
      shop: undefined,
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

test('a folder of labelled questions is a shop, with five examples of each capability unless said', () => {
  const dir = join(import.meta.dirname, '../data/corner-shop');
  const examplesOf = (args: string[]) => {
    const { shop } = readOptions(['--questions', dir, ...args], {});
    return shop?.plan.desks['store-desk']?.map(({ examples }) => examples?.length);
  };

  assert.deepEqual(examplesOf([]), [3, 3]);
  assert.deepEqual(examplesOf(['--examples', '2']), [2, 2]);
  assert.deepEqual(examplesOf(['--examples=0']), [0, 0]);
  for (const [args, message] of [
    [['--examples', '33'], /--examples is a whole number from 0 to 32, not 33/],
    [['--examples', '-1'], /--examples/],
    [['--ask', '?'], /--questions and --ask do not go together/],
    [['--tasks=200'], /--questions and --tasks do not go together/],
    [['--secure'], /--questions and --secure do not go together/],
  ] as const) {
    assert.throws(() => readOptions(['--questions', dir, ...args], {}), {
      name: 'TypeError',
      message,
    });
  }
  assert.throws(() => readOptions(['--examples', '5'], {}), /--questions names; it is missing/);
});

test('a wrong command line is a TypeError that names what is wrong', () => {
  for (const [args, message] of [
    [['--lang', 'fr'], /zh or en, not fr/],
    [['--file', '/nowhere/questions.txt'], /\/nowhere\/questions\.txt cannot be read/],
    [['--tasks', '99'], /from 100 to 20000, not 99/],
    [['--tasks', '1e4'], /not 1e4/],
    [['--questions', '/nowhere'], /\/nowhere\/capabilities\.jsonl cannot be read/],
    [['--bogus'], /--bogus/],
    [['stray'], /stray/],
  ] as const) {
    assert.throws(() => readOptions(args, {}), { name: 'TypeError', message });
  }
});
