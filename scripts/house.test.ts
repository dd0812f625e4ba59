import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOMES, PACKAGE_ARROWS, ROOMS, renderHouse, TESTS_HOME } from './house.ts';

test('no arrow of the table runs up, and none leads to a room that is not in it', () => {
  for (const room of ROOMS.values()) {
    if (room.mayImport === 'all') continue;
    for (const name of room.mayImport) {
      const host = ROOMS.get(name);
      assert.ok(host, `${room.name} may import ${name}, which does not exist`);
      assert.ok(host.floor <= room.floor, `${room.name} may import ${name}, which stands above`);
    }
  }
});

test('the table has no circle', () => {
  const visit = (name: string, path: readonly string[]): void => {
    assert.ok(!path.includes(name), [...path, name].join(' → '));
    const next = ROOMS.get(name)?.mayImport ?? [];
    if (next === 'all') return;
    for (const other of next) visit(other, [...path, name]);
  };

  for (const name of ROOMS.keys()) visit(name, []);
});

test('every home is a package or a room of the house', () => {
  for (const home of Object.values(HOMES).flat()) {
    const [owner = '', ...folder] = home.split('/');
    const isKnown = home === TESTS_HOME || owner in PACKAGE_ARROWS;
    assert.ok(isKnown, home);
    if (owner === 'server') assert.ok(ROOMS.has(folder.join('/')), home);
  }
});

test('the page shows each row once, rooms of one row together', () => {
  const page = renderHouse();

  assert.match(page, /^\| floor \| room \| lives there \| may import \|\n\| --- /);
  assert.match(page, /\| 1 \| ingress\/\{http, grpc, mcp, a2a\} \| .* \| – \|/);
  assert.match(page, /\| 7 \| main \| .* \| all \|/);
});
