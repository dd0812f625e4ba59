import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Evaluation, LocalCalibration } from '@agent-reach/core';
import { type Random, seededRandom } from '@agent-reach/core/kernel';
import { Gateway, reach } from './kit/gateway.ts';
import { dataOf } from './kit/wire.ts';

const SEED = 21;

/** What a town hall knows, by the words in which it says so and those in which people ask. */
const DESKS: Readonly<Record<string, readonly string[]>> = {
  'passport renewal': ['passport', 'new passport', 'passport renewal'],
  'dog licence': ['dog', 'dog tax', 'dog licence'],
  'waste collection': ['waste', 'rubbish bins', 'waste collection'],
  'building permit': ['permit', 'building', 'building permit'],
  'marriage registration': ['marriage', 'wedding date', 'marriage registration'],
  'parking fine': ['parking', 'parking ticket', 'parking fine'],
  'library card': ['library', 'library books', 'library card'],
  'swimming pool': ['pool', 'swimming', 'swimming pool'],
  'school enrolment': ['school', 'enrolment', 'school enrolment'],
  'market stall': ['stall', 'market', 'market stall'],
  'street lights': ['street', 'lights', 'street lights'],
  'lost property': ['property', 'lost umbrella', 'lost property'],
};
const FRAMES = [
  'i have a question about the THING of my neighbour',
  'THING',
  'how does the THING work here',
  'who can help me with THING please',
  'when do i hear of my THING',
  'hello, the THING again, what now',
];
const WHEN = [
  'today',
  'tomorrow',
  'on monday',
  'next week',
  'in may',
  'this year',
  'soon',
  'at noon',
];
const BESIDE = ['sing me a song', 'who won the match', 'tell a joke', 'walk my cat', 'play chess'];

const nameOf = (desk: string) => `hall.${desk.replace(' ', '_')}`;

/** Lines of a file, each said once; every eighth is for no desk. */
function talk(count: number, random: Random): string {
  const oneOf = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
  const rows = new Map<string, { text: string; expected: string | null }>();
  for (let i = 0; rows.size < count; i++) {
    const [desk, things] = oneOf(Object.entries(DESKS));
    const isBeside = i % 8 === 0;
    const frame = isBeside ? `${oneOf(BESIDE)} ${random.below(100)}` : oneOf(FRAMES);
    const text = `${frame.replace('THING', oneOf(things))} ${oneOf(WHEN)}`;
    rows.set(text, { text, expected: isBeside ? null : nameOf(desk) });
  }
  return [...rows.values()].map((row) => `${JSON.stringify(row)}\n`).join('');
}

test('labels of one’s own are tried, applied, kept through a restart and taken back by reach alone', async (t) => {
  t.diagnostic(`seed ${SEED}`);
  await using gateway = await Gateway.start();
  const capabilities = Object.keys(DESKS).map((desk) => {
    const description = `Tells what people must know of the ${desk}.`;
    return { name: nameOf(desk), display_name: desk, description, effect: 'read' };
  });
  const instance = { pull: true, instance_id: 'hall-1' };
  const hall = { name: 'hall', capabilities, instance };
  assert.equal((await gateway.post('/v1/agents', hall)).status, 200);
  const random = seededRandom(SEED);
  const [own, fresh] = [join(gateway.folder.path, 'own'), join(gateway.folder.path, 'fresh')];
  await writeFile(own, talk(450, random));
  await writeFile(fresh, talk(300, random));
  const ask = async <T>(...args: string[]): Promise<T> => {
    const { code, out, err } = await reach([...args, '--json', '--endpoint', gateway.url]);
    assert.equal(code, 0, err);
    return JSON.parse(out) as T;
  };
  const ends = async () => {
    const { routed_right: right, misrouted } = await ask<Evaluation>('routes', 'evaluate', fresh);
    return { right: right.count, misrouted };
  };
  const shipped = await ends();

  const tried = await ask<LocalCalibration>('routes', 'calibrate', own);
  assert.equal(tried.version, undefined);
  assert.deepEqual(await ends(), shipped);
  const applied = await ask<LocalCalibration>('routes', 'calibrate', own, '--apply');
  assert.deepEqual({ ...applied, version: undefined }, { ...tried, version: undefined });
  assert.ok(applied.after.routed_right.count > applied.before.routed_right.count);
  assert.ok(applied.after.misrouted.low <= 0.01);

  await gateway.stop();
  await gateway.restart();
  const mended = await ends();
  assert.ok(mended.right > shipped.right, `${shipped.right} to ${mended.right}`);
  assert.ok(mended.misrouted.low <= 0.01);
  const intent = 'how does the dog tax work here';
  const { meaning } = dataOf(
    'routes.decide',
    await gateway.post('/v1/routes', { intent, params: {}, explain: true }),
  );
  assert.deepEqual([meaning?.own_fit?.used, meaning?.own_fit?.version], [true, 1]);

  await ask('calibration', 'rollback');
  assert.deepEqual(await ends(), shipped);
});
