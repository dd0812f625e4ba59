import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FetchFailure } from '@agent-reach/core/kernel';
import { readTarget } from './url-rules.ts';

test('a URL is taken apart in the words of the URL parser', () => {
  assert.deepEqual(readTarget('HTTPS://CRM.Internal:8443/a/../b?x=1'), {
    origin: 'https://crm.internal:8443',
    host: 'crm.internal',
    literal: undefined,
    port: 8443,
    path: '/b?x=1',
  });
});

test('the port of the scheme holds where none is given', () => {
  assert.equal(readTarget('http://a.test').port, 80);
  assert.equal(readTarget('https://a.test').port, 443);
  assert.equal(readTarget('http://a.test').path, '/');
});

test('the dot at the end of a name does not hide it from the rules', () => {
  assert.equal(readTarget('http://crm.internal./').host, 'crm.internal');
});

const spellings: [url: string, literal: string][] = [
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://127.0.0.%31/', '127.0.0.1'],
  ['http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[0:0:0:0:0:0:0:1]/', '::1'],
];
for (const [url, literal] of spellings) {
  test(`${url} is known as the address ${literal}`, () => {
    assert.equal(readTarget(url).literal, literal);
  });
}

const bad: [url: string, why: RegExp][] = [
  ['', /start with/],
  ['ftp://a.test/', /start with/],
  ['file:///etc/passwd', /start with/],
  ['//a.test/', /start with/],
  ['http:a.test', /start with/],
  ['http:///a.test', /start with/],
  ['http://a@127.0.0.1/', /user info/],
  ['http://a:secret@127.0.0.1/', /user info/],
  ['http://:secret@127.0.0.1/', /user info/],
  ['http://[fe80::1%25eth0]/', /zone id/],
  ['http://[fe80::1%eth0]/', /zone id/],
  ['http://a.test/#b', /fragment/],
  ['http://a.test#@127.0.0.1/', /fragment/],
  ['http://a.test\\@127.0.0.1/', /backslash/],
  ['http:\\\\a.test/', /backslash/],
  ['http://a.test/x y', /blank/],
  [' http://a.test/', /blank/],
  ['http://a.te\nst/', /blank/],
  ['http://a.test/\u0000', /control/],
  ['http://a.test:0/', /port 0/],
  ['http://a.test:65536/', /parsed/],
  ['http://1.2.3.256/', /parsed/],
  ['http://./', /empty host/],
];
for (const [url, why] of bad) {
  test(`refused: ${JSON.stringify(url)}`, () => {
    assert.throws(
      () => readTarget(url),
      (error) => {
        assert.ok(error instanceof FetchFailure);
        assert.equal(error.kind, 'bad-url');
        assert.equal(error.sent, false);
        assert.match(error.message, why);
        return true;
      },
    );
  });
}

test('a refusal repeats no credential', () => {
  assert.throws(
    () => readTarget('http://user:s3cret@a.test/'),
    (error) => !String(error).includes('s3cret'),
  );
});
