import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalCalibration, MeaningView, PolicyView, Utterance } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { OFFICE, officeTalk } from '../routing/testing/office.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { twoGateways } from './testing/two-gateways.ts';

const SOON_MS = 900;

/** A gateway whose one agent has a dozen capabilities that read. */
async function office(house: TestHouse): Promise<TestHouse> {
  const instance = { pull: true, instance_id: 'office-1' };
  await house.ask('POST', '/v1/agents', { name: 'office', capabilities: OFFICE, instance });
  return house;
}

function calibrate(house: TestHouse, utterances: readonly Utterance[], more: object = {}) {
  return house.ask<LocalCalibration>('POST', '/v1/routes/calibrate', { utterances, ...more });
}

async function explained(house: TestHouse, intent: string) {
  type Decided = { outcome: string; meaning: MeaningView };
  const body = { intent, params: {}, explain: true };
  const { outcome, meaning } = await house.ask<Decided>('POST', '/v1/routes', body);
  return { outcome, meaning };
}

const document = (house: TestHouse) => house.ask<PolicyView>('GET', '/v1/policies/calibration');

test('own labels route more right, within the budget, at every gateway, and are taken back', async (t) => {
  const seed = 11;
  t.diagnostic(`seed ${seed}`);
  const utterances = officeTalk(700, seededRandom(seed));
  const fresh = officeTalk(400, seededRandom(seed + 1));
  await using at = await twoGateways();
  await office(at.one);
  await at.clock.advance(SOON_MS);
  const routed = async (house: TestHouse) => {
    const { routed_right: right, misrouted } = await house.ask<LocalCalibration['after']>(
      'POST',
      '/v1/routes/evaluate',
      { utterances: fresh },
    );
    return { right: right.count, misrouted };
  };
  const before = await routed(at.two);

  const fitted = await calibrate(at.one, utterances, { apply: true });
  await at.clock.advance(SOON_MS);

  assert.equal(fitted.version, 1);
  assert.ok(fitted.labels > 600 && fitted.slope > 1);
  assert.ok(fitted.after.routed_right.count > fitted.before.routed_right.count);
  assert.ok(fitted.after.misrouted.low <= 0.01);
  // What was said to one gateway holds at the other, for words that neither has seen.
  const after = await routed(at.two);
  assert.ok(after.right > before.right, `${before.right} to ${after.right}`);
  assert.ok(after.misrouted.low <= 0.01);

  await at.two.ask('POST', '/v1/policies/calibration/rollback', {});
  await at.clock.advance(SOON_MS);
  for (const house of [at.one, at.two]) assert.deepEqual(await routed(house), before);
});

test('a fit is shown with its labels and both probabilities, and another calibration’s is not used', async () => {
  await using house = await office(await openHouse());
  const utterances = officeTalk(500, seededRandom(5));
  const intent = 'please show the lunch menu for the team';
  const plain = await explained(house, intent);
  assert.equal(plain.meaning.own_fit, undefined);

  const { labels, slope, shift } = await calibrate(house, utterances, { apply: true });
  const { meaning } = await explained(house, intent);

  assert.equal(meaning.calibration, `${plain.meaning.calibration}, ${labels} own labels`);
  const { own, ...fit } = meaning.own_fit ?? {};
  const shipped = plain.meaning.right;
  assert.deepEqual(fit, { used: true, version: 1, labels, slope, shift, shipped });
  assert.equal(own, meaning.right);
  assert.ok(meaning.among >= meaning.right);

  const { doc } = await document(house);
  const other = { ...doc, fingerprint: 'words/3#00000000' };
  const { warnings } = await house.ask<{ warnings: string[] }>('PUT', '/v1/policies/calibration', {
    doc: other,
  });
  assert.match(warnings.join(), /fitted for words\/3#00000000, and .* is in use: it is not used/);
  const unused = (await explained(house, intent)).meaning;
  assert.deepEqual([unused.right, unused.calibration], [shipped, plain.meaning.calibration]);
  assert.equal(unused.own_fit?.used, false);
  assert.match(unused.own_fit.detail ?? '', /words\/3#00000000/);
});

test('without apply nothing is kept, and the audit has no word of what people said', async () => {
  await using house = await office(await openHouse());
  const utterances = officeTalk(60, seededRandom(3));

  const { version } = await calibrate(house, utterances);
  assert.equal(version, undefined);
  assert.equal((await document(house)).version, 0);
  await calibrate(house, utterances, { apply: true });
  assert.equal((await document(house)).version, 1);

  type Lines = { lines: { operation: string; params: string }[] };
  const { lines } = await house.ask<Lines>('GET', '/v1/audit');
  const params = lines
    .filter(({ operation }) => operation === 'routes.calibrate')
    .map((one) => one.params)
    .sort();
  assert.deepEqual(params, [
    '{"utterances":"[60 utterances]","apply":true}',
    '{"utterances":"[60 utterances]"}',
  ]);
});

test('half a fit, one past its bounds and a cut that its labels cannot bear are refused', async () => {
  await using house = await office(await openHouse());
  await calibrate(house, officeTalk(400, seededRandom(2)), { apply: true });
  const { doc } = await document(house);
  const put = (changed: object, more: object = {}) =>
    house.ask<{ warnings: string[]; version: number }>('PUT', '/v1/policies/calibration', {
      doc: changed,
      ...more,
    });
  const { slope: _, ...half } = doc as { slope?: number };
  await assert.rejects(put(half), failsWith('rule-refused'));
  for (const over of [{ slope: 0 }, { slope: 4.1 }, { shift: -5 }, { labels: 0 }, { moon: 1 }]) {
    await assert.rejects(put({ ...doc, ...over }), failsWith('validation-failed'));
  }
  await assert.rejects(put({ ...doc, route_from: { '1': 0.4 } }), failsWith('validation-failed'));
  await assert.rejects(
    put({ ...doc, labels: 334, route_from: { '1': 0.9 } }),
    failsWith('rule-refused', ({ message }) => {
      assert.match(message, /route_from\/1 takes 335 labels, and there are 334/);
    }),
  );

  const low = await put({ ...doc, route_from: { '1': 0.5 } }, { dry_run: true });
  assert.match(low.warnings.join(), /route_from\.1 is 0\.5; .* is the least, and is used/);
  assert.equal(low.version, 1);
  const none = await put({});
  assert.deepEqual([none.version, none.warnings], [2, []]);
});
