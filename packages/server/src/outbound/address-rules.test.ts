import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { parseEgressRules } from './address-rules.ts';

function allows(allow: string[], ip: string, host = ip): boolean {
  return parseEgressRules({ allow, allowLoopback: false }).judgeAddress(ip, host, 80).allowed;
}

test('nothing is allowed that no entry allows', () => {
  for (const ip of ['10.0.0.1', '8.8.8.8', '127.0.0.1', '::1', 'fd00::1', '2606:4700::1111']) {
    assert.equal(allows([], ip), false, ip);
  }
});

test('a block allows its first and its last address and none beside it', () => {
  assert.ok(allows(['10.1.0.0/16'], '10.1.0.0'));
  assert.ok(allows(['10.1.0.0/16'], '10.1.255.255'));
  assert.ok(!allows(['10.1.0.0/16'], '10.0.255.255'));
  assert.ok(!allows(['10.1.0.0/16'], '10.2.0.0'));
  assert.ok(allows(['fd00::/8'], 'fdff::1'));
  assert.ok(!allows(['fd00::/8'], 'fe00::1'));
});

test('a single address allows itself alone, in either family', () => {
  assert.ok(allows(['192.168.7.9'], '192.168.7.9'));
  assert.ok(!allows(['192.168.7.9'], '192.168.7.10'));
  assert.ok(allows(['fd12::9'], 'fd12:0:0::9'));
  assert.ok(!allows(['fd12::9'], 'fd12::a'));
});

test('an IPv4 address in the clothes of IPv6 is judged as IPv4', () => {
  assert.ok(allows(['10.0.0.0/8'], '::ffff:10.1.2.3'));
  assert.ok(allows(['10.0.0.0/8'], '::ffff:a01:203'));
  assert.ok(!allows(['::/0'], '::ffff:10.1.2.3'));
  assert.ok(!allows(['10.0.0.0/8'], '::ffff:127.0.0.1'));
});

test('a host entry allows the addresses of this host only', () => {
  assert.ok(allows(['crm.internal'], '10.0.0.1', 'crm.internal'));
  assert.ok(allows(['CRM.Internal.'], '10.0.0.1', 'crm.internal'));
  assert.ok(!allows(['crm.internal'], '10.0.0.1', 'a.crm.internal'));
  assert.ok(!allows(['crm.internal'], '10.0.0.1', 'xcrm.internal'));
  assert.ok(allows(['bücher.example'], '10.0.0.1', 'xn--bcher-kva.example'));
});

test('a suffix entry allows hosts below it, but not itself nor a look-alike', () => {
  assert.ok(allows(['*.internal'], '10.0.0.1', 'crm.internal'));
  assert.ok(allows(['*.internal'], '10.0.0.1', 'a.b.internal'));
  assert.ok(!allows(['*.internal'], '10.0.0.1', 'internal'));
  assert.ok(!allows(['*.internal'], '10.0.0.1', 'notinternal'));
  assert.ok(!allows(['*.internal'], '10.0.0.1', 'internal.evil.example'));
});

test('a host entry opens neither loopback, link-local nor metadata: names are rebound', () => {
  for (const ip of [
    '127.0.0.1',
    '::1',
    '169.254.1.1',
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
  ]) {
    assert.ok(!allows(['evil.internal', '*.internal'], ip, 'evil.internal'), ip);
  }
});

test('public allows what is routed on the internet and nothing else', () => {
  for (const ip of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450::1']) {
    assert.ok(allows(['public'], ip), ip);
  }
  const inside = ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '192.0.2.1', '198.18.0.1'];
  const reserved = ['240.0.0.1', 'fd00::1', 'fec0::1', '2001:db8::1', '4000::1', '168.63.129.16'];
  for (const ip of [...inside, ...reserved]) assert.ok(!allows(['public'], ip), ip);
});

test('loopback is opened by the switch, or by an entry inside it, and not by a wide one', () => {
  const open = parseEgressRules({ allow: [], allowLoopback: true });

  assert.ok(open.judgeAddress('127.0.0.1', '127.0.0.1', 80).allowed);
  assert.ok(open.judgeAddress('::1', 'localhost', 80).allowed);
  assert.ok(!open.judgeAddress('169.254.169.254', '169.254.169.254', 80).allowed);
  assert.ok(allows(['127.0.0.1'], '127.0.0.1'));
  assert.ok(!allows(['127.0.0.1'], '127.0.0.2'));
  assert.ok(allows(['::1'], '::1'));
  assert.ok(!allows(['0.0.0.0/0'], '127.0.0.1'));
  assert.ok(!allows(['::/0'], '::1'));
});

const guarded: [ip: string, wide: string, explicit: string][] = [
  ['169.254.169.254', '0.0.0.0/0', '169.254.169.254'],
  ['169.254.7.7', '169.0.0.0/8', '169.254.0.0/16'],
  ['fe80::7', '::/0', 'fe80::/10'],
  ['fd00:ec2::254', 'fd00::/8', 'fd00:ec2::254'],
  ['100.100.100.200', '100.64.0.0/10', '100.100.100.200/32'],
];
for (const [ip, wide, explicit] of guarded) {
  test(`${ip} is opened by ${explicit} and not by ${wide}`, () => {
    assert.ok(!allows([wide, 'public', '*.internal'], ip, 'x.internal'));
    assert.ok(allows([explicit], ip));
  });
}

test('a metadata address inside link-local needs an entry of its own', () => {
  assert.ok(!allows(['169.254.0.0/16'], '169.254.169.254'));
});

test('some addresses are never called, whatever is listed', () => {
  const everything = ['0.0.0.0/0', '::/0', 'public', '*.internal'];
  const plain = ['0.0.0.0', '0.1.2.3', '224.0.0.1', '255.255.255.255', '::', 'ff02::1'];
  const tunnels = ['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '::7f00:1', '::ffff:0:7f00:1'];
  for (const ip of [...plain, ...tunnels]) assert.ok(!allows(everything, ip, 'x.internal'), ip);
  assert.ok(allows(everything, '240.0.0.1'), 'the list itself is in force');
});

test('what is no plain address is refused: zone ids, other spellings, names', () => {
  for (const ip of ['fe80::1%eth0', '2130706433', '0x7f.1', 'localhost', '', '10.0.0.1/8']) {
    assert.ok(!allows(['0.0.0.0/0', '::/0', 'fe80::/10'], ip), ip);
  }
});

test('a refusal names the address, the host, the port and the reason', () => {
  const rules = parseEgressRules({ allow: [], allowLoopback: false });

  assert.deepEqual(rules.judgeAddress('127.0.0.1', 'evil.test', 8443), {
    allowed: false,
    detail: '127.0.0.1 (evil.test, port 8443) is loopback, which no entry of egress.allow opens',
  });
});

const bad: [entry: string, why: RegExp][] = [
  ['', /neither/],
  ['*', /neither/],
  ['*.', /neither/],
  ['*.*.internal', /neither/],
  ['crm.*', /neither/],
  ['http://crm.internal', /neither/],
  ['crm.internal:80', /neither/],
  ['crm internal', /neither/],
  ['-crm.internal', /neither/],
  ['10.0.0.0/33', /neither/],
  ['10.0.0.0/08', /neither/],
  ['10.0.0.0/', /neither/],
  ['10.0.0.0/8/8', /neither/],
  ['10.0.0/8', /neither/],
  ['10.1', /neither/],
  ['2130706433', /neither/],
  ['0x7f.1', /neither/],
  ['fe80::1%eth0', /neither/],
  ['fd00::/129', /neither/],
  ['PUBLIC/8', /neither/],
  ['crm.internal?', /neither/],
  ['10.1.2.3/8', /write 10\.0\.0\.0\/8/],
  ['fd12::9/9', /write fd00::\/9/],
  ['::ffff:10.0.0.0/104', /IPv4 written as IPv6/],
  ['224.0.0.0/8', /multicast, which is never/],
  ['0.0.0.0', /unspecified, which is never/],
  ['64:ff9b::/96', /tunnel/],
  ['localhost', /loopback/],
  ['*.localhost', /loopback/],
];
for (const [entry, why] of bad) {
  test(`the entry "${entry}" is refused by name`, () => {
    assert.throws(
      () => parseEgressRules({ allow: ['10.0.0.0/8', entry], allowLoopback: false }),
      (error) => {
        assert.ok(ReachError.is(error));
        assert.equal(error.code, 'validation-failed');
        assert.ok(error.message.includes(`"${entry}"`), error.message);
        assert.match(error.message, why);
        assert.equal(error.facts.errors?.[0]?.pointer, '#/egress.allow/1');
        return true;
      },
    );
  });
}
