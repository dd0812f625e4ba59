import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { tokenizerOf } from './tokenizer.ts';

type Parts = { normalizer?: unknown; pre_tokenizer?: unknown; vocab?: readonly [string, number][] };

/** Tokens as texts, of a Unigram tokenizer. */
function cut(text: string, { vocab = [], ...steps }: Parts): string[] {
  const all: [string, number][] = [['<unk>', 0], ...vocab];
  const tokenizer = tokenizerOf({ ...steps, model: { type: 'Unigram', unk_id: 0, vocab: all } });
  return tokenizer.tokens(text).map((id) => all[id]?.[0] ?? '?');
}

const METASPACE = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false };

test('the most probable way to cut a text wins, not the longest token', () => {
  const vocab: [string, number][] = [
    ['ab', -1],
    ['c', -1],
    ['abc', -9],
    ['a', -5],
    ['bc', -5],
  ];

  assert.deepEqual(cut('abc', { vocab }), ['ab', 'c']);
});

test('what has no token is left out, and the rest is said all the same', () => {
  const vocab: [string, number][] = [
    ['ab', -1],
    ['你', -2],
  ];

  assert.deepEqual(cut('ab😀你ab', { vocab }), ['ab', '你', 'ab']);
  assert.deepEqual(cut('😀', { vocab }), []);
  assert.deepEqual(cut('', { vocab }), []);
});

test('blanks are a letter of the word behind them', () => {
  const vocab: [string, number][] = [
    ['▁new', -1],
    ['▁york', -1],
    ['▁new▁york', -9],
    ['york', -1],
  ];

  assert.deepEqual(cut('new york', { vocab, pre_tokenizer: METASPACE }), ['▁new', '▁york']);
  const split = { ...METASPACE, split: true };
  assert.deepEqual(cut('new york', { vocab, pre_tokenizer: split }), ['▁new', '▁york']);
  const never = { ...METASPACE, prepend_scheme: 'never' };
  assert.deepEqual(cut('york new', { vocab, pre_tokenizer: never }), ['york', '▁new']);
});

test('texts are normalised as BERT does: case, accents, and Chinese letters apart', () => {
  const vocab: [string, number][] = [
    ['▁cafe', -1],
    ['▁你', -1],
    ['▁好', -1],
  ];
  const normalizer = {
    type: 'Sequence',
    normalizers: [
      {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
      { type: 'Strip', strip_left: true, strip_right: true },
    ],
  };

  const tokens = cut(' Café\u0000 你好 ', { vocab, normalizer, pre_tokenizer: METASPACE });

  assert.deepEqual(tokens, ['▁cafe', '▁你', '▁好']);
});

test('WordPiece takes the longest piece first, and a word that it cannot say not at all', () => {
  const tokenizer = tokenizerOf({
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      unk_token: '[UNK]',
      vocab: { '[UNK]': 0, un: 1, '##believ': 2, '##able': 3, '!': 4, unbeliev: 5 },
    },
  });

  assert.deepEqual(tokenizer.tokens('unbelievable! unknown'), [5, 3, 4]);
  assert.equal(tokenizer.size, 6);
});

for (const [what, file] of [
  ['a normalizer', { normalizer: { type: 'Odd' }, model: { type: 'Unigram', vocab: [['a', 0]] } }],
  [
    'a pre-tokenizer',
    { pre_tokenizer: { type: 'ByteLevel' }, model: { type: 'Unigram', vocab: [['a', 0]] } },
  ],
  ['a model', { model: { type: 'BPE', vocab: {}, merges: [] } }],
  [
    'a pattern',
    { normalizer: { type: 'Replace', pattern: { Regex: '(' }, content: '' }, model: {} },
  ],
  ['a vocabulary', { model: { type: 'Unigram', vocab: 'abc' } }],
  ['a token', { model: { type: 'Unigram', vocab: [['a']] } }],
  ['nothing', null],
] as const) {
  test(`a tokenizer with ${what} that is not known is refused, and says which`, () => {
    assert.throws(
      () => tokenizerOf(file),
      (error) => ReachError.is(error) && /is not read here|not read here:/.test(error.message),
    );
  });
}

test('a long text without blanks is cut in time that grows with it alone', () => {
  const vocab: [string, number][] = [
    ['a', -1],
    ['aa', -1.5],
    ['aaaa', -2],
  ];

  assert.equal(cut('a'.repeat(2_048), { vocab }).length, 512);
});
