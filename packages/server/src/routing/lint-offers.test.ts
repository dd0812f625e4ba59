import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checklist } from '../main/checklist.ts';
import { openHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';

const STOCK = {
  name: 'look_stock',
  description: '查询某个商品在各仓库的可用库存数量',
  effect: 'read',
};
const TWIN = { ...STOCK, name: 'count_stock', description: '查询某个商品在各仓库的库存数量' };

/** What registering these one after another warns of in the end, of its meaning. */
async function warningsOf(options: Record<string, boolean | string>, ...manifests: object[]) {
  await using house = await openHouse(options);
  let warnings: string[] = [];
  for (const [i, capabilities] of manifests.entries()) {
    const manifest = { name: `agent-${i}`, capabilities: [capabilities].flat() };
    const answer = await house.ask<{ warnings: string[] }>('POST', '/v1/agents', manifest);
    ({ warnings } = answer);
  }
  return warnings.filter((text) =>
    /reads like|beyond its name|same example|alias|more of/.test(text),
  );
}

test('whoever registers is told what reads like his, and is not kept out', async () => {
  const [warning = '', ...more] = await warningsOf({}, STOCK, TWIN);

  assert.match(warning, /^count_stock reads like look_stock of agent-0 \(both have: .*库存/);
  assert.deepEqual(more, []);
});

test('a name that another one offers as well is no neighbour, and neither is what one offers oneself', async () => {
  assert.deepEqual(await warningsOf({}, STOCK, STOCK), []);
  assert.deepEqual(await warningsOf({}, [STOCK, TWIN]), []);
});

test('an alias that another one has, by name or as its own, is told on either side', async () => {
  const desk = { name: 'desk.ask', description: '把问题交给值班人员', effect: 'read' };

  const mine = await warningsOf({}, STOCK, { ...desk, aliases: ['lookStock'] });
  assert.deepEqual(mine, [
    'The alias “lookStock” of desk.ask is a name of look_stock, which has it: take another one.',
  ]);
  const both = await warningsOf({}, { ...STOCK, aliases: ['看'] }, { ...desk, aliases: ['看'] });
  assert.match(both.join(), /^desk\.ask and look_stock have the same alias “看”: .* asked back\.$/);
  const theirs = await warningsOf({}, { ...STOCK, aliases: ['desk ask'] }, desk);
  assert.match(theirs.join(), /^desk\.ask is an alias of look_stock as well: the name wins/);
});

test('nothing is said where no intent is read', async () => {
  assert.deepEqual(await warningsOf({ 'routing.semantic.mode': 'off' }, STOCK, TWIN), []);
});

test('an agent of many capabilities is looked at in part, and told of no more than eight', async () => {
  const words = '天地玄黄宇宙洪荒日月盈昃';
  const many = (prefix: string) =>
    Array.from({ length: 12 }, (_, i) => ({
      ...STOCK,
      name: `${prefix}_${i}`,
      description: `查询${words[i]}字号商品在各仓库的库存数量`,
    }));

  const warnings = await warningsOf({}, many('a'), many('b'));

  assert.equal(warnings.length, 9);
  assert.match(warnings[8] ?? '', /^and \d+ more/);
});

test('who registers the same again is not told again', async () => {
  await using house = await openHouse();
  await house.agent('one', STOCK, () => json(200, {}));
  const manifest = { name: 'two', capabilities: [TWIN] };
  const answers = [];
  for (let n = 0; n < 2; n++) {
    answers.push(await house.ask<{ warnings: string[] }>('POST', '/v1/agents', manifest));
  }

  const told = answers.map(({ warnings }) => warnings.filter((text) => /reads like/.test(text)));
  assert.deepEqual(
    told.map(({ length }) => length),
    [1, 0],
  );
});

test('a manifest is looked at before it meets others, and one that may not join is not', () => {
  const forecast = { name: 'weather_forecast', description: 'Weather forecast.', effect: 'read' };
  const manifest = (capabilities: object[]) => ({ name: 'weather', capabilities });
  const about = (body: unknown) =>
    checklist(body).flatMap(({ name, detail }) => (name === 'Meaning' ? [detail] : []));

  assert.match(about(manifest([forecast])).join(), /weather_forecast says nothing beyond its name/);
  const shared = { ...STOCK, examples: ['多少'] };
  const twice = [shared, { ...forecast, description: '查询城市的天气', examples: ['多少'] }];
  assert.match(about(manifest(twice)).join(), /have the same example “多少”/);
  assert.deepEqual(about(manifest([STOCK])), []);
  assert.deepEqual(about({ capabilities: 7 }), []);
});
