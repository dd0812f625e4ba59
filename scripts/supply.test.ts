import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LockedPackage, type Manifest, supplyFaults } from './supply.ts';

const sound: LockedPackage = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };
const root: Manifest = { file: 'package.json', allowScripts: { built: false } };

const rulesOf = (packages: Record<string, LockedPackage>, manifests: Manifest[] = [root]) =>
  supplyFaults(packages, manifests).map(({ rule }) => rule);

test('what is locked with a checksum and under a known licence may come in', () => {
  const packages = {
    '': {},
    'packages/core': {},
    'node_modules/@agent-reach/core': { link: true },
    'node_modules/a': sound,
    'node_modules/a/node_modules/b': { ...sound, license: '0BSD' },
    'node_modules/built': { ...sound, hasInstallScript: true },
  };

  assert.deepEqual(rulesOf(packages), []);
});

test('each way to bring in what nobody looked at is named with its package', () => {
  for (const [rule, over] of [
    ['no-checksum', { integrity: 'sha1-x' }],
    ['licence', { license: 'SSPL-1.0' }],
    ['registry-named', { resolved: 'https://elsewhere.example/a.tgz' }],
    ['install-script', { hasInstallScript: true }],
  ] as const) {
    const [fault, ...more] = supplyFaults({ 'node_modules/@x/a': { ...sound, ...over } }, [root]);
    assert.equal(fault?.rule, rule);
    assert.match(fault.message, /^node_modules\/@x\/a /);
    assert.deepEqual(more, []);
  }
  const { integrity, license, ...bare } = sound;
  assert.deepEqual(rulesOf({ 'node_modules/a': bare }), ['no-checksum', 'licence']);
});

test('our own packages run nothing where they are installed, and depend on few others', () => {
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, '1.0.0']));
  const of = (count: number, scripts: Record<string, string> = {}): Manifest[] => [
    { file: 'packages/core/package.json', name: 'core', dependencies: names(count) },
    {
      file: 'packages/sdk/package.json',
      name: 'sdk',
      dependencies: { core: '1', d0: '1' },
      scripts,
    },
  ];

  assert.deepEqual(rulesOf({}, of(35)), []);
  assert.deepEqual(rulesOf({}, of(36)), ['too-many']);
  assert.deepEqual(rulesOf({}, of(1, { postinstall: 'x', test: 'y' })), ['own-install-script']);
});
