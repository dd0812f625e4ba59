import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capability } from '../../registry/testing/builders.ts';
import { CALIBRATION } from './calibration.ts';
import { FEATURES, FINGERPRINT } from './features.ts';
import { interpret } from './interpret.ts';
import { Catalogue } from './catalogue.ts';
import { catalogueOf, offered, put, question, read, SHOP } from './testing/shop.ts';

for (const [intent, name] of [
  ['我订单发货了没有', 'order.status'],
  ['what is the state of my order and when does it ship', 'order.status'],
  ['查物流轨迹', 'parcel.track'],
  ['where is my parcel right now', 'parcel.track'],
  ['上海天气预报', 'weather.forecast'],
  ['weather forecast for Berlin', 'weather.forecast'],
] as const) {
  test(`${intent} goes to ${name}`, () => {
    const reading = read(intent);

    assert.equal(reading.outcome, 'route');
    assert.deepEqual(reading.names, [name]);
    assert.ok(reading.right >= reading.routeFrom);
  });
}

for (const intent of ['order.status', 'orderStatus', '订单状态查询', 'ＯＲＤＥＲ STATUS']) {
  test(`${intent} is a name, and is measured by nothing`, () => {
    const reading = read(intent);

    assert.deepEqual([reading.reason, reading.right], ['EXACT', 1]);
    assert.deepEqual(reading.names, ['order.status']);
  });
}

test('a name goes before descriptions, however often they have its words', () => {
  const symbol = (name: string, description: string) =>
    capability({ name, display_name: name, description, effect: 'read' });
  const catalogue = catalogueOf([
    symbol('find_symbol', 'Looks up.'),
    symbol('references', 'Find symbol, find symbol references: find every symbol.'),
  ]);

  assert.deepEqual(read('find symbol', catalogue).names, ['find_symbol']);
});

test('a name within a name space is found by its last part', () => {
  const codex = capability({ name: 'mcp__plugin_x__ask_codex', display_name: 'x', effect: 'read' });
  const catalogue = catalogueOf([...SHOP, codex]);

  assert.deepEqual(read('ask codex', catalogue).names, ['mcp__plugin_x__ask_codex']);
});

test('a last part of one word is no name: it could be the beginning of anything', () => {
  const reading = read('status');

  assert.notEqual(reading.reason, 'EXACT');
});

test('two capabilities of one display name are asked about', () => {
  const twice = ['a.find', 'b.find'].map((name) =>
    capability({ name, display_name: '查找', description: `Finds with ${name}.`, effect: 'read' }),
  );
  const reading = read('查找', catalogueOf(twice));

  assert.equal(reading.outcome, 'ask');
  assert.deepEqual(offered(reading), ['a.find', 'b.find']);
});

test('every capability that is named in a sentence is offered, whatever else is in it', () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    capability({
      name: `report_${i}`,
      display_name: `Report ${i}`,
      description: 'Compare the monthly sales of two regions and compare them again.',
      effect: 'read',
    }),
  );
  const other = capability({ name: 'zip_files', display_name: 'z', description: 'Packs.' });
  const catalogue = catalogueOf([...many, other]);
  const reading = read('compare monthly sales with report_7, then zip_files', catalogue);

  assert.equal(reading.outcome, 'ask');
  for (const name of ['report_7', 'zip_files']) assert.ok(offered(reading).includes(name), name);
});

for (const intent of ['order', '订单', '开发票还是查订单', 'invoice or order state']) {
  test(`${intent} could be more than one, and is asked about`, () => {
    const reading = read(intent);

    assert.equal(reading.outcome, 'ask');
    assert.ok(reading.options.length >= 2 && reading.options.length <= 3);
    assert.deepEqual(reading.names, []);
  });
}

for (const [intent, reason] of [
  ['', 'NO_WORDS'],
  ['😀🎉', 'NO_WORDS'],
  ['\u200b\u0000', 'NO_WORDS'],
  ['写一首诗', 'NO_CANDIDATE'],
  ['play some music', 'LOW_COVERAGE'],
  ['帮我处理一下', 'LOW_COVERAGE'],
] as const) {
  test(`${JSON.stringify(intent)} is answered with none: ${reason}`, () => {
    const reading = read(intent);

    assert.deepEqual([reading.outcome, reading.reason], ['none', reason]);
    assert.deepEqual(reading.options, []);
  });
}

test('one incidental word in common is no answer', () => {
  const reading = read('send gmail email about the city council');

  assert.notEqual(reading.outcome, 'route');
});

for (const intent of ['注销账户并删除全部数据', 'delete my account and all its data', '注销账户']) {
  test(`${intent} is only done by name: nothing else is taken in its place`, () => {
    const reading = read(intent);

    assert.deepEqual([reading.outcome, reading.reason], ['none', 'NAMED_ONLY']);
  });
}

test('a few letters in common do not make what is sensitive the answer', () => {
  const transfer = capability({
    name: 'refund',
    display_name: '退款',
    description: '把钱退给客户。',
    effect: 'write',
    sensitive: true,
  });
  const joke = read('给我讲个笑话', catalogueOf([...SHOP, transfer]));

  assert.deepEqual(
    [joke.outcome, joke.reason, joke.namedOnly],
    ['none', 'LOW_COVERAGE', undefined],
  );
  assert.equal(read('我要退款', catalogueOf([...SHOP, transfer])).reason, 'NAMED_ONLY');
});

test('what is sensitive is never offered', () => {
  for (const intent of ['account data order', '账户 订单 数据', 'account.delete or order.status']) {
    assert.ok(!offered(read(intent)).includes('account.delete'), intent);
  }
});

test('what writes needs more certainty than what reads', () => {
  const catalogue = catalogueOf(
    SHOP.map((one) => (one.name === 'parcel.track' ? { ...one, effect: 'write' } : one)),
  );

  assert.equal(read('where is my parcel right now').outcome, 'route');
  const reading = read('where is my parcel right now', catalogue);
  assert.equal(reading.outcome, 'ask');
  assert.equal(reading.routeFrom, CALIBRATION.routeFrom['0.1']);
});

test('an undeclared effect is held to be a write', () => {
  const { effect: _, ...undeclared } = SHOP[3] ?? capability();
  const reading = read('weather forecast for Berlin', catalogueOf([undeclared]));

  assert.equal(reading.routeFrom, CALIBRATION.routeFrom['0.1']);
});

test('what a capability says it is not for decides between two that are near', () => {
  const both = capability({ description: '查询订单和物流信息', effect: 'read' });
  const first = { ...both, name: 'a', display_name: '甲', not_for: ['签收时间'] };
  const second = { ...both, name: 'b', display_name: '乙' };
  const reading = read('查询订单的签收时间', catalogueOf([first, second]));

  assert.equal(reading.ranking.candidates[0]?.name, 'b');
});

test('what asks for the very thing that the best one excludes is not routed there', () => {
  const only = capability({
    name: 'order.status',
    display_name: '订单状态查询',
    description: '查询订单状态',
    effect: 'read',
    not_for: ['物流轨迹'],
  });
  const reading = read('查询订单物流轨迹', catalogueOf([only]));

  assert.notEqual(reading.outcome, 'route');
});

test('parameters decide what vague words leave open, in either language', () => {
  for (const intent of ['帮我处理一下', 'please handle this']) {
    const params = { order_no: 'ORD1', tax_id: '91310', title: 'Acme' };
    const reading = read(intent, catalogueOf(), { params });

    assert.equal(reading.ranking.candidates[0]?.name, 'invoice.issue', intent);
  }
});

test('parameters that fit route nothing to what shares no word with the intent', () => {
  const tides = capability({
    ...SHOP[3],
    name: 'tides',
    display_name: '潮汐',
    description: '查潮汐',
  });
  const reading = read('天气预报', catalogueOf([tides]), { params: { city: 'x' } });

  assert.deepEqual([reading.outcome, reading.reason], ['ask', 'LOW_COVERAGE']);
});

test('parameters that are missing exclude nobody, and are told', () => {
  const [best] = read('when will my order ship').ranking.candidates;

  assert.equal(best?.name, 'order.status');
  assert.deepEqual(best?.missing, ['order_no']);
});

test('the same example ten times is no better than once', () => {
  const example = 'is it going to rain';
  const scoreWith = (times: number) => {
    const weather = {
      ...(SHOP[3] ?? capability()),
      examples: Array.from({ length: times }, () => example),
    };
    return read('will it rain tomorrow', catalogueOf([...SHOP.slice(0, 3), weather])).ranking
      .candidates[0]?.score;
  };

  assert.equal(scoreWith(10), scoreWith(1));
});

test('an intent that is an example of one capability goes there', () => {
  const reading = read('Has my order been shipped yet?');

  assert.deepEqual([reading.reason, reading.names], ['EXAMPLE', ['order.status']]);
});

test('capabilities that say the same under other names are one answer', () => {
  const weather = SHOP[3] ?? capability();
  const twin = { ...weather, name: 'meteo.forecast' };
  const reading = read('the weather forecast of a city', catalogueOf([...SHOP, twin]));

  assert.equal(reading.outcome, 'route');
  assert.deepEqual([...reading.names].sort(), ['meteo.forecast', 'weather.forecast']);
});

test('the answer does not depend on the order in which capabilities came', () => {
  const there = read('order', catalogueOf(SHOP));
  const back = read('order', catalogueOf(SHOP.toReversed()));

  assert.deepEqual(offered(there), offered(back));
  assert.ok(Math.abs(there.right - back.right) < 1e-9);
});

test('what comes, changes and goes counts for the next question', () => {
  const catalogue = new Catalogue();
  assert.equal(read('when will my order ship', catalogue).outcome, 'none');
  for (const one of SHOP) put(catalogue, one);
  assert.equal(read('when will my order ship', catalogue).outcome, 'route');

  const other = {
    ...(SHOP[0] ?? capability()),
    display_name: 'Fish',
    description: 'Feeds fish.',
    examples: [],
    not_for: [],
  };
  put(catalogue, other);
  assert.notEqual(read('when will my order ship', catalogue).outcome, 'route');
  assert.deepEqual(read('feeds fish', catalogue).ranking.candidates[0]?.name, 'order.status');

  catalogue.put('order.status', []);
  assert.equal(read('feeds fish', catalogue).outcome, 'none');
});

test('offers of one name are one candidate, each by the words of those who may be had', () => {
  const catalogue = new Catalogue();
  const says = (description: string) =>
    capability({ name: 'find', display_name: 'f', description });
  put(catalogue, says('Finds parcels.'), says('Finds flights.'));
  const admits = (_: string, agents: ReadonlySet<string>) => (agents.has('agent-0') ? 'in' : 'out');

  const parcels = read('parcels', catalogue, { admits });
  const flights = read('flights', catalogue, { admits });

  assert.deepEqual(
    parcels.ranking.candidates.map(({ name }) => name),
    ['find'],
  );
  assert.equal(flights.ranking.candidates.length, 0);
});

test('what finds no room is left out, is told, and comes in when there is room', () => {
  const catalogue = new Catalogue({ documents: 2 });
  for (const one of SHOP.slice(0, 3)) put(catalogue, one);
  assert.equal(catalogue.isFull, true);
  assert.equal(catalogue.next, undefined);
  assert.equal(catalogue.named('invoice.issue'), undefined);

  catalogue.put('order.status', []);

  assert.equal(catalogue.next, 'invoice.issue');
  put(catalogue, SHOP[2] ?? capability());
  assert.equal(catalogue.isFull, false);
  assert.deepEqual(catalogue.named('invoice.issue')?.names, ['invoice.issue']);
});

test('options say what sets them apart', () => {
  const { options } = read('order');

  assert.ok(options.length >= 2);
  for (const { differs, description } of options) {
    assert.ok(differs.length > 0 && description !== '');
    for (const word of differs) {
      assert.equal(options.filter((one) => one.differs.includes(word)).length, 1, word);
    }
  }
});

test('a question of 100 KB is answered', () => {
  const reading = read('查询订单 order status '.repeat(5_000));

  assert.ok(['route', 'ask'].includes(reading.outcome));
});

test('the calibration that ships is of these legs and features, and of no others', () => {
  assert.equal(CALIBRATION.fingerprint, FINGERPRINT);
  assert.equal(CALIBRATION.right.weights.length, FEATURES.length);
  assert.equal(CALIBRATION.among.weights.length, FEATURES.length);
  assert.ok(CALIBRATION.routeFrom['0.1'] > CALIBRATION.routeFrom['1']);
  assert.ok(CALIBRATION.routeFrom['1'] > CALIBRATION.routeFrom['5']);

  const catalogue = catalogueOf();
  const calibration = { ...CALIBRATION, fingerprint: 'words+spelling+vectors/19' };
  assert.throws(
    () => interpret(question('order', catalogue), catalogue, { budget: '1', calibration }),
    /legs are/,
  );
});

for (const text of ['Grab this', 'give me all of it']) {
  test(`“${text}” means a capability only as those may offer it who call it so`, () => {
    const catalogue = new Catalogue();
    const own = capability({ name: 'orders', display_name: 'Orders', effect: 'read' });
    const other = { ...own, display_name: 'Grab this', examples: ['give me all of it'] };
    catalogue.put('orders', [
      { agentId: 'shop', capability: own },
      { agentId: 'stranger', capability: other },
    ]);
    const asked = (who: string) => {
      const admits = (_: string, agents: ReadonlySet<string>) => (agents.has(who) ? 'in' : 'out');
      return interpret({ intent: text, params: {}, admits }, catalogue, { budget: '1' });
    };

    assert.deepEqual([asked('stranger').right, asked('stranger').names], [1, ['orders']]);
    assert.notEqual(asked('shop').outcome, 'route');
  });
}

test('what was learned holds for other numbers too, and no number makes an example of another text', () => {
  const catalogue = catalogueOf();
  const [order] = SHOP;
  assert.ok(order);
  catalogue.put(order.name, [{ agentId: 'agent-0', capability: order }], ['stock of', 'sku 12345']);

  for (const intent of ['stock of A1001', 'Stock of 20250118', 'SKU 99999', 'sku 12345']) {
    const { reason, names } = read(intent, catalogue);
    assert.deepEqual([reason, names], ['EXAMPLE', ['order.status']], intent);
  }
  for (const intent of ['sku', 'stock of things', 'A1001', '99999']) {
    assert.notEqual(read(intent, catalogue).reason, 'EXAMPLE', intent);
  }
});
