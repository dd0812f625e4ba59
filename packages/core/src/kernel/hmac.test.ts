import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { testRandom } from '../testing/seed.ts';
import { hmacSha256 } from './hmac.ts';

// RFC 4231, §4: those whose data is text.
const VECTORS = [
  {
    key: Buffer.alloc(20, 0x0b),
    text: 'Hi There',
    mac: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    key: Buffer.from('Jefe'),
    text: 'what do ya want for nothing?',
    mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    key: Buffer.alloc(131, 0xaa),
    text: 'Test Using Larger Than Block-Size Key - Hash Key First',
    mac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
];

test('the published vectors come out', () => {
  for (const { key, text, mac } of VECTORS) assert.equal(hmacSha256(key, text, 'hex'), mac);
});

test('keys and texts of every length come out as from Node', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  for (let length = 0; length <= 130; length++) {
    const key = random.bytes(length);
    const text = 'é張😀-'.repeat(length).slice(0, random.below(3 * length + 1));
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const right = createHmac('sha256', key).update(text).digest(encoding);

      assert.equal(hmacSha256(key, text, encoding), right, `${length} bytes, ${encoding}`);
    }
  }
});
