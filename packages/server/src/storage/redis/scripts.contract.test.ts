import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { suite, test } from 'node:test';
import { readScripts, readSource } from './scripts.ts';
import { bareClient, whyNoRedis } from './testing/kit.ts';

const why = await whyNoRedis();

suite('scripts', () => {
  test('every file of Lua is a script or part of one', () => {
    const read = new Set<string>();
    readScripts((name) => {
      read.add(`${name}.lua`);
      return readSource(name);
    });

    const files = globSync('**/*.lua', { cwd: import.meta.dirname });
    assert.deepEqual([...read].toSorted(), files.toSorted());
  });

  test('the server understands every script, and knows it by our sum', {
    skip: why ?? false,
  }, async () => {
    const client = bareClient();
    await client.connect();
    for (const [name, { text, sha }] of Object.entries(readScripts())) {
      assert.equal(await client.scriptLoad(text), sha, name);
    }
    client.destroy();
  });
});
