import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, readProxies } from './client-address.ts';

const proxies = readProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']) ?? assert.fail('it is a list');
const none = readProxies([]) ?? assert.fail('it is a list');

test('nobody but a proxy that is believed says who asked', () => {
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1', proxies), '203.0.113.9');
  assert.equal(clientAddress('10.1.1.1', '198.51.100.1', none), '10.1.1.1');
  assert.equal(clientAddress('10.1.1.1', undefined, proxies), '10.1.1.1');
  assert.equal(clientAddress('10.1.1.1', '198.51.100.1', proxies), '198.51.100.1');
  assert.equal(clientAddress('::ffff:10.1.1.1', '::ffff:198.51.100.1', proxies), '198.51.100.1');
  assert.equal(clientAddress('fd00::1', '2001:db8::5', proxies), '2001:db8::5');
});

test('of a chain the last that is no proxy counts, and what stands before it nobody believes', () => {
  const asked = (forwarded: string | string[]) => clientAddress('10.1.1.1', forwarded, proxies);

  assert.equal(asked('127.0.0.1, 198.51.100.1, 192.0.2.7'), '198.51.100.1');
  assert.equal(asked('127.0.0.1,198.51.100.1'), '198.51.100.1');
  assert.equal(asked(['127.0.0.1', '198.51.100.1, 10.2.2.2']), '198.51.100.1');
  assert.equal(asked('10.3.3.3, 10.2.2.2'), '10.3.3.3');
  for (const broken of ['', 'unknown', '198.51.100.1:80', 'x, ', '198.51.100.1, evil']) {
    assert.equal(asked(broken), '10.1.1.1', broken);
  }
  const long = `198.51.100.1, ${Array.from({ length: 40 }, () => '10.2.2.2').join(', ')}`;
  assert.equal(asked(long), '10.2.2.2');
});

test('networks are CIDR blocks or addresses, and no number of proxies, and not everybody', () => {
  for (const text of [
    'true',
    '1',
    'loopback',
    'example.org',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0/8',
    '',
  ]) {
    assert.equal(readProxies([text]), undefined, text);
  }
});
