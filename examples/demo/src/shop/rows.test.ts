import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readFolder } from './rows.ts';

const CAPABILITIES = [
  { id: 'gift.wrap', name: 'wrap_gift', description: 'Wraps a gift.' },
  { id: 'store.find', name: 'find_store', description: 'Finds a store.' },
];
const QUERIES = [
  { text: 'wrap it', lang: 'en', expected: 'gift.wrap', payload: { order_no: 'ORD1' } },
  { text: '门店', lang: 'zh', expected: ['gift.wrap', 'store.find'] },
  { text: '唱首歌', lang: 'zh', expected: null },
];

/** A folder with these lines; texts stand as they are. */
function folderOf(
  t: TestContext,
  capabilities: readonly unknown[] = CAPABILITIES,
  queries: readonly unknown[] = QUERIES,
  examples?: readonly unknown[],
): string {
  const dir = mkdtempSync(join(tmpdir(), 'demo-rows-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const write = (file: string, rows: readonly unknown[]) => {
    const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
    writeFileSync(join(dir, file), `${lines.join('\n')}\n`);
  };
  write('capabilities.jsonl', capabilities);
  write('queries.jsonl', queries);
  if (examples !== undefined) write('examples.jsonl', examples);
  return dir;
}

test('questions are labelled by the names of what would be right, and examples may be missing', (t) => {
  const { rows, questions, examples } = readFolder(folderOf(t));

  assert.deepEqual(
    rows.map(({ id }) => id),
    ['gift.wrap', 'store.find'],
  );
  assert.deepEqual(questions, [
    { text: 'wrap it', language: 'en', wanted: ['wrap_gift'], given: { order_no: 'ORD1' } },
    { text: '门店', language: 'zh', wanted: ['wrap_gift', 'find_store'] },
    { text: '唱首歌', language: 'zh', wanted: [] },
  ]);
  assert.equal(examples.size, 0);
});

test('what is wrong with a folder is told by file, line and field', (t) => {
  const [wrap = {}, find = {}] = CAPABILITIES;
  const [ask = {}] = QUERIES;
  const wrong: [dir: string, message: RegExp][] = [
    ['/nowhere', /^\/nowhere\/capabilities\.jsonl cannot be read\.$/],
    [folderOf(t, []), /^capabilities\.jsonl has no capability\.$/],
    [folderOf(t, CAPABILITIES, []), /^queries\.jsonl has no question\.$/],
    [folderOf(t, ['[1]']), /^capabilities\.jsonl:1 is not one JSON object\.$/],
    [folderOf(t, ['', '{"id":']), /^capabilities\.jsonl:2 is not one JSON object\.$/],
    [folderOf(t, [{ ...wrap, id: '' }]), /^capabilities\.jsonl:1: id is a text, not ""\.$/],
    [folderOf(t, [{ ...wrap, name: '包装' }]), /:1: name is 1 to 128 of A-Z, .*, not "包装"\.$/],
    [folderOf(t, [{ ...wrap, tags: 'gift' }]), /:1: tags is a list of texts, not "gift"\.$/],
    [folderOf(t, [{ ...wrap, boundary: 7 }]), /:1: boundary is a text, not 7\.$/],
    [folderOf(t, [{ ...wrap, input_schema: [] }]), /:1: input_schema is an object, not \[\]\.$/],
    [folderOf(t, [wrap, wrap]), /has the id gift\.wrap twice\.$/],
    [folderOf(t, [wrap, { ...find, name: 'wrap_gift' }]), /has the name wrap_gift twice\.$/],
    [folderOf(t, CAPABILITIES, [{ ...ask, text: '问'.repeat(501) }]), /:1: text is .* 1 to 500 /],
    [folderOf(t, CAPABILITIES, [{ ...ask, lang: 'fr' }]), /:1: lang is zh or en, not "fr"\.$/],
    [folderOf(t, CAPABILITIES, [{ text: 'x', lang: 'en' }]), /:1: expected is .*, not missing\.$/],
    [folderOf(t, CAPABILITIES, [{ ...ask, expected: ['gift.bag'] }]), /:1: expected is null, the/],
    [folderOf(t, CAPABILITIES, [{ ...ask, payload: [1] }]), /:1: payload is an object, not \[1\]/],
    [folderOf(t, CAPABILITIES, [{ ...ask, candidates: [] }]), /:1: candidates is left out: .*\[\]/],
    [folderOf(t, CAPABILITIES, QUERIES, [{ id: 'x', examples: [] }]), /^examples\.jsonl:1: id is/],
    [folderOf(t, CAPABILITIES, QUERIES, [{ id: 'gift.wrap' }]), /:1: examples is a list of texts/],
  ];

  for (const [dir, message] of wrong) {
    assert.throws(() => readFolder(dir), { name: 'TypeError', message });
  }
  // The longest question that the customer service takes.
  readFolder(folderOf(t, CAPABILITIES, [{ ...ask, text: '问'.repeat(500) }]));
});
