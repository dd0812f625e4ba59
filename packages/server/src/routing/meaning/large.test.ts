import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capability } from '../../registry/testing/builders.ts';
import { Catalogue } from './catalogue.ts';
import { Lexicon } from './lexicon.ts';
import { type Question, rank } from './rank.ts';
import { SHOP } from './testing/shop.ts';

// An index counts as large here from its first document on, and looks at next to no run of letters.

function shops(lexicon: Lexicon): Catalogue {
  const catalogue = new Catalogue({}, lexicon);
  for (let shop = 0; shop < 150; shop++) {
    for (const one of SHOP) {
      const name = `shop${shop}.${one.name}`;
      const description = `${one.description} Branch ${shop}.`;
      catalogue.put(name, [{ agentId: `shop-${shop}`, capability: { ...one, name, description } }]);
    }
  }
  catalogue.put('horoscope.cast', [
    { agentId: 'stars', capability: capability({ name: 'horoscope.cast', effect: 'read' }) },
  ]);
  return catalogue;
}

const whole = shops(new Lexicon());
const large = shops(new Lexicon({ wholeMax: 0, runsMax: 20 }));

function ask(intent: string, over: Partial<Question> = {}): Question {
  return { intent, params: {}, admits: () => 'in', ...over };
}

const INTENTS = [
  'where is my parcel now, branch 77',
  'invioce for an order that is payed, branch 12',
  '订单什么时候发货',
  'weather in branch 149',
];

test('candidates of a large index have the scores that they have in a small one', () => {
  for (const intent of INTENTS) {
    for (const params of [{}, { order_no: '1' }, { city: '上海', foreign: 1 }]) {
      const expected = rank(ask(intent, { params }), whole).candidates;
      const { candidates } = rank(ask(intent, { params }), large);
      const told = (some: typeof expected) =>
        some.map(({ name, score, legs }) => [
          name,
          score.toFixed(9),
          ...legs.map((leg) => leg.toFixed(9)),
        ]);
      assert.deepEqual(told(candidates), told(expected), intent);
    }
  }
});

test('where no word is known a large index still finds by the spelling', () => {
  const [first] = rank(ask('horoscpoe'), large).candidates;
  assert.equal(first?.name, 'horoscope.cast');
  assert.equal(first?.legs[0], 0);
});

test('who may have little of much gets the best of that, compared in full', () => {
  for (const intent of INTENTS) {
    const admits = (name: string) => (name.startsWith('shop3.') ? 'in' : 'out');
    const expected = rank(ask(intent, { admits }), whole).candidates;
    assert.equal(expected.length > 0, true, intent);
    const { candidates } = rank(ask(intent, { admits }), large);
    assert.deepEqual(
      candidates.map(({ name, score }) => [name, score.toFixed(9)]),
      expected.map(({ name, score }) => [name, score.toFixed(9)]),
    );
  }
});

test('where it is known who may be chosen nobody else is asked for', () => {
  const among = ['shop3.parcel.track', 'shop3.order.status', 'gone.by.now'];
  const asked: string[] = [];
  const admits: Question['admits'] = (name) => {
    asked.push(name);
    return 'in';
  };
  const { candidates } = rank(ask('where is my parcel', { among, admits }), large);
  assert.equal(candidates[0]?.name, 'shop3.parcel.track');
  assert.ok(
    asked.every((name) => among.includes(name)),
    asked.join(),
  );
  assert.deepEqual(
    rank(ask('shop7.parcel.track', { among: [], admits: () => 'out' }), large).candidates,
    [],
  );
});

test('a catalogue whose terms are too many leaves out what comes, and takes it when there is room', () => {
  const catalogue = new Catalogue({ postings: 1 });
  const put = (name: string, description: string) => {
    catalogue.put(name, [{ agentId: 'a', capability: capability({ name, description }) }]);
  };
  put('first', 'says more than one word');
  put('second', 'says something else');
  assert.equal(catalogue.isFull, true);
  assert.equal(catalogue.next, undefined);
  assert.deepEqual(catalogue.entriesOf('second'), []);

  catalogue.put('first', []);
  assert.equal(catalogue.next, 'second');
  put('second', 'says something else');
  assert.equal(catalogue.isFull, false);
});

test('of two names that one is called, each goes without the other', () => {
  const catalogue = new Catalogue();
  const put = (name: string) => {
    const one = capability({ name, display_name: 'Parcel tracking' });
    catalogue.put(name, [{ agentId: 'a', capability: one }]);
  };
  for (const name of ['c', 'a', 'b']) put(name);
  assert.deepEqual(catalogue.named('parcel tracking')?.names, ['a', 'b', 'c']);
  catalogue.put('a', []);
  assert.deepEqual(catalogue.named('parcel tracking')?.names, ['b', 'c']);
  catalogue.put('c', []);
  assert.deepEqual(catalogue.named('parcel tracking')?.names, ['b']);
  put('b');
  catalogue.put('b', []);
  assert.equal(catalogue.named('parcel tracking'), undefined);
});
