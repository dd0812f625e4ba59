import assert from 'node:assert/strict';
import test from 'node:test';
import { FORMATS } from './formats.ts';

const TABLE: Record<keyof typeof FORMATS, { sound: string[]; unsound: string[] }> = {
  'date-time': {
    sound: [
      '2026-02-28T23:59:59Z',
      '2024-02-29t00:00:00.123456789+08:00',
      '2016-12-31T23:59:60Z',
      '2017-01-01T07:59:60+08:00',
    ],
    unsound: [
      '2026-02-29T00:00:00Z',
      '2026-01-01 00:00:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01T24:00:00Z',
      '2026-01-01T12:00:60Z',
      '',
    ],
  },
  date: {
    sound: ['2026-12-31', '2000-02-29'],
    unsound: ['1900-02-29', '2026-13-01', '2026-1-1', '2026-00-10'],
  },
  time: {
    sound: ['00:00:00Z', '23:59:59.5-03:30'],
    unsound: ['00:00:00', '0:00:00Z', '12:60:00Z'],
  },
  email: {
    sound: ['a@b.cn', 'first.last+tag@sub.example.com', `${'x'.repeat(64)}@b.cn`],
    unsound: [
      'a',
      '@b.cn',
      'a@',
      '.a@b.cn',
      'a..b@b.cn',
      'a@b_c.cn',
      `${'x'.repeat(65)}@b.cn`,
      'a b@c.cn',
    ],
  },
  uuid: {
    sound: ['123e4567-E89B-12d3-a456-426614174000'],
    unsound: ['123e4567e89b12d3a456426614174000', 'x'.repeat(36)],
  },
  uri: {
    sound: ['https://a.cn/b?c=d#e', 'urn:isbn:1', 'mailto:a@b.cn', 'http://[::1]:80/%20'],
    unsound: [
      '/relative',
      'a b:c',
      'http://a/ b',
      'http://a/%zz',
      'http:',
      `http://a/${'x'.repeat(2048)}`,
    ],
  },
  hostname: {
    sound: ['a', 'a-b.example'],
    unsound: ['', '-a', 'a-', 'a..b', 'a'.repeat(64), '订单.cn'],
  },
  ipv4: { sound: ['127.0.0.1'], unsound: ['256.0.0.1', '1.2.3', '01.2.3.4'] },
  ipv6: { sound: ['::1', '::ffff:1.2.3.4'], unsound: ['fe80::1%eth0', ':::', '1.2.3.4'] },
};

for (const [name, { sound, unsound }] of Object.entries(TABLE)) {
  test(`the format ${name} tells sound texts from unsound ones`, () => {
    const check = FORMATS[name as keyof typeof FORMATS];

    assert.deepEqual(
      sound.filter((text) => !check(text)),
      [],
    );
    assert.deepEqual(unsound.filter(check), []);
  });

  test(`the format ${name} answers a megabyte at once`, () => {
    const check = FORMATS[name as keyof typeof FORMATS];

    assert.equal(check('a.'.repeat(500_000)), false);
    assert.equal(check('1'.repeat(1_000_000)), false);
  });
}
