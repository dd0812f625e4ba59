import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { failsWith } from './testing/house.ts';
import { vaultOf } from './vault.ts';

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reach-vault-'));
});
after(() => rm(dir, { recursive: true }));

const random = seededRandom(5);
const embedded = (dataDir: string) => ({ kekFile: '', dataDir, isShared: false });

test('the embedded store has a key made beside it, once, for its owner alone', async () => {
  const first = await vaultOf(embedded(dir), random)();
  const again = await vaultOf(embedded(dir), random)();

  assert.equal(again.id, first.id);
  assert.equal((await stat(join(dir, 'secrets.kek'))).mode & 0o777, 0o600);
});

test('a key that is named is read, and needs no folder', async () => {
  const kekFile = join(dir, 'named');
  await writeFile(kekFile, `${Buffer.alloc(32, 1).toString('base64')}\n`);
  const named = { kekFile, dataDir: '/nonexistent', isShared: true };

  assert.equal((await vaultOf(named, random)()).id, (await vaultOf(named, random)()).id);
});

test('a file that is missing or holds anything else is refused by its name', async () => {
  for (const [name, text] of [
    ['short', Buffer.alloc(31).toString('base64')],
    ['hex', Buffer.alloc(32).toString('hex')],
    ['empty', ''],
  ] as const) {
    const kekFile = join(dir, name);
    await writeFile(kekFile, text);
    const vault = vaultOf({ kekFile, dataDir: dir, isShared: false }, random);
    await assert.rejects(
      vault(),
      failsWith('validation-failed', (error) => assert.ok(error.message.includes(kekFile))),
    );
  }
  const kekFile = join(dir, 'late');
  const vault = vaultOf({ kekFile, dataDir: dir, isShared: false }, random);
  await assert.rejects(vault(), failsWith('validation-failed'));
  await writeFile(kekFile, await readFile(join(dir, 'secrets.kek')));
  await vault();
});

test('a shared store needs a key that is named', async () => {
  const vault = vaultOf({ kekFile: '', dataDir: dir, isShared: true }, random);

  await assert.rejects(
    vault(),
    failsWith('validation-failed', (error) => assert.match(error.message, /secrets\.kek\.file/)),
  );
});
