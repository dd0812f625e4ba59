import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { openVault, vaultIdOf } from './seal.ts';

const SECRET = Buffer.from('what nobody may read');
const vaultOf = (byte: number) => openVault(Buffer.alloc(32, byte), seededRandom(3));

test('what is sealed opens in its place, and is another text each time', () => {
  const vault = vaultOf(1);
  const sealed = vault.seal(SECRET, 'acme|clients|shop|k1');

  assert.deepEqual(vault.open(sealed, 'acme|clients|shop|k1'), SECRET);
  assert.notEqual(vault.seal(SECRET, 'acme|clients|shop|k1'), sealed);
  assert.ok(!sealed.includes(SECRET.toString('base64url')));
});

test('in another place, under another key, or changed by a letter, it does not open', () => {
  const vault = vaultOf(1);
  const sealed = vault.seal(SECRET, 'here');

  assert.equal(vault.open(sealed, 'there'), undefined);
  assert.equal(vaultOf(2).open(sealed, 'here'), undefined);
  for (let i = 0; i < sealed.length; i++) {
    const letter = sealed[i] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, i) + letter + sealed.slice(i + 1);
    // The last digit of a part may have bits that say nothing.
    const opened = vault.open(changed, 'here');
    if (opened !== undefined) assert.deepEqual(opened, SECRET, changed);
    const isLast = sealed[i + 1] === '.' || i === sealed.length - 1;
    assert.ok(opened === undefined || isLast, changed);
  }
  assert.equal(vault.open('', 'here'), undefined);
});

test('a sealed secret says under which key it is, and no more of it', () => {
  assert.equal(vaultIdOf(vaultOf(1).seal(SECRET, 'here')), vaultOf(1).id);
  assert.notEqual(vaultOf(1).id, vaultOf(2).id);
  assert.equal(vaultIdOf('0123456789abcdef'), undefined);
});

test('a subkey is that of the vector, and says nothing of the others', () => {
  const vault = openVault(
    Uint8Array.from({ length: 32 }, (_, n) => n),
    seededRandom(3),
  );

  assert.equal(
    vault.subkey('audit-seal').toString('hex'),
    'f89721b15f522463863332c4c394d02e429e9652a0b61da202214e275adb5483',
  );
});
