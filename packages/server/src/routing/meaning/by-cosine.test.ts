import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { capability } from '../../registry/testing/builders.ts';
import { readByCosine } from './by-cosine.ts';
import type { Reading } from './interpret.ts';
import { catalogueOf, offered, question } from './testing/shop.ts';

const OFFERS = { right: 'read', near: 'read', writes: 'write', secret: 'read' } as const;

/** A capability whose vector is at this angle, in cosine, to the intent. */
function at(name: keyof typeof OFFERS, cosine: number, over: Partial<Capability> = {}) {
  const effect = OFFERS[name];
  const sensitive = name === 'secret';
  const one = capability({
    name,
    display_name: name,
    description: `does ${name}`,
    effect,
    sensitive,
  });
  return { capability: { ...one, ...over }, cosine };
}

function readAt(from: number, ...offers: ReturnType<typeof at>[]): Reading {
  const catalogue = catalogueOf(offers.map((offer) => offer.capability));
  catalogue.vectors.begin('m', 2);
  for (const { capability: one, cosine } of offers) {
    const [entry] = catalogue.entriesOf(one.name);
    assert.ok(entry);
    const vector = new Float32Array([cosine, Math.sqrt(1 - cosine ** 2)]);
    catalogue.vectors.set(entry.document, vector);
  }
  const sense = {
    is: 'used',
    make: 'm',
    model: 'm',
    language: 'en',
    vector: new Float32Array([1, 0]),
    trust: { right: 1, share: 0.1, background: { mean: 0.9, deviation: 0.01 } },
  } as const;
  return readByCosine(question('quite another thing', catalogue), catalogue, { sense, from });
}

test('from the threshold on it is routed, and not below', () => {
  const over = readAt(0.72, at('right', 0.7201));
  assert.deepEqual([over.outcome, over.reason, over.names], ['route', 'COSINE', ['right']]);
  assert.ok(Math.abs(over.right - 0.7201) < 1e-4);

  const under = readAt(0.72, at('right', 0.7199));
  assert.deepEqual([under.outcome, under.reason], ['none', 'LOW_CONFIDENCE']);
});

test('the order is that of the cosine, below any background as well', () => {
  const reading = readAt(0.5, at('near', 0.6), at('right', 0.7));

  assert.deepEqual([reading.outcome, reading.names], ['route', ['right']]);
});

test('a tie is asked about, the nearest first', () => {
  const reading = readAt(0.72, at('near', 0.805), at('right', 0.82));

  assert.deepEqual([reading.outcome, reading.reason], ['ask', 'NEAR_TIE']);
  assert.deepEqual(offered(reading), ['right', 'near']);
  assert.equal(readAt(0.72, at('near', 0.79), at('right', 0.82)).outcome, 'route');
});

test('only what is over the threshold is offered', () => {
  const reading = readAt(0.72, at('near', 0.715), at('right', 0.725));

  assert.deepEqual(offered(reading), ['right']);
});

test('what is not a read is asked about, however near', () => {
  const reading = readAt(0.72, at('writes', 0.99), at('right', 0.5));

  assert.deepEqual([reading.outcome, offered(reading)], ['ask', ['writes']]);
});

test('what only its name reaches is not routed, and nothing else takes its place', () => {
  const reading = readAt(0.72, at('secret', 0.9), at('right', 0.8));

  assert.deepEqual([reading.outcome, reading.namedOnly], ['none', 'secret']);
});

test('what has no vector is no candidate', () => {
  const catalogue = catalogueOf([at('right', 0).capability]);
  catalogue.vectors.begin('m', 2);
  const trust = { right: 1, share: 1, background: { mean: 0, deviation: 0 } };
  const vector = new Float32Array([1, 0]);
  const sense = { is: 'used', make: 'm', model: 'm', language: 'en', vector, trust } as const;

  const reading = readByCosine(question('does right', catalogue), catalogue, { sense, from: 0.1 });

  assert.deepEqual([reading.outcome, reading.reason], ['none', 'NO_CANDIDATE']);
});
