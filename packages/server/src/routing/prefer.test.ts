import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prefer } from '@agent-reach/core';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Scores } from '../registry/scores.ts';
import { addAgent, capability, definition, emptyDirectory } from '../registry/testing/builders.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { decide } from './decide.ts';
import { explain } from './explain.ts';
import { SHOP } from './meaning/testing/shop.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { openRouting } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';

const DRAWS = 400;

/** One agent with so many instances, and how often each is chosen by a preference. */
function open(names: readonly string[] = ['i0', 'i1', 'i2']) {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const options = defaultsOf(ROUTING_OPTIONS);
  const ports = openRouting({ directory, board, scores, random: seededRandom(7), options });
  const instances = addAgent(directory, definition('a'), [...names]);
  const counts = (weights: Prefer | undefined, key = 'desk') => {
    const prefer = weights === undefined ? undefined : { weights, key };
    const found = new Map<string, number>(names.map((name) => [name, 0]));
    for (let n = 0; n < DRAWS; n++) {
      const name = chosen(decide(selector({ prefer }), anybody, ports));
      found.set(name, (found.get(name) ?? 0) + 1);
    }
    return (name: string) => (found.get(name) ?? 0) / DRAWS;
  };
  return { ports, directory, board, clock, scores, instances, counts };
}

/** Answers that took so long, so that it is known how quick somebody is. */
async function answers(made: ReturnType<typeof open>, times: readonly number[]) {
  for (const [i, ms] of times.entries()) {
    const done = made.board.begin(made.instances[i]?.key ?? '');
    await made.clock.advance(ms);
    done(true);
  }
}

test('who answers sooner gets more where latency is preferred, and nobody gets all', async () => {
  const made = open();
  await answers(made, [20, 200, 200]);

  const plain = made.counts(undefined);
  const share = made.counts({ latency: 1 });

  assert.ok(plain('i0') < 0.5, String(plain('i0')));
  assert.ok(share('i0') > 0.95, String(share('i0')));
});

test('who drowns is left, however much he is preferred', async () => {
  const made = open();
  await answers(made, [20, 30, 30]);
  for (let n = 0; n < 50; n++) made.board.begin(made.instances[0]?.key ?? '');

  assert.ok(made.counts({ latency: 1 })('i0') < 0.1);
});

test('a source finds the same one where affinity is preferred, and others spread', () => {
  const { counts, instances } = open();
  const homeOf = (key: string) => {
    const share = counts({ affinity: 1 }, key);
    return instances.find(({ row }) => share(row.instanceId) > 0.98)?.row.instanceId;
  };

  const homes = Array.from({ length: 12 }, (_, i) => homeOf(`source-${i}`));

  assert.ok(homes.every((home) => home !== undefined));
  assert.ok(new Set(homes).size > 1);
  assert.equal(homeOf('source-3'), homes[3]);
});

test('a home that is away gives its sources to another, and no other source moves', () => {
  const { counts, instances } = open();
  const homeOf = (key: string) => {
    const share = counts({ affinity: 1 }, key);
    return instances.find(({ row }) => share(row.instanceId) > 0.98)?.row.instanceId;
  };
  const keys = Array.from({ length: 8 }, (_, i) => `source-${i}`);
  const before = keys.map(homeOf);
  const [gone] = instances;
  assert.ok(gone);

  gone.observed = 'unreachable';

  for (const [i, key] of keys.entries()) {
    const now = homeOf(key);
    if (before[i] === 'i0') assert.notEqual(now, 'i0');
    else assert.equal(now, before[i], key);
  }
});

test('who failed lately gets less where reachability is preferred', () => {
  const made = open();
  for (let n = 0; n < 20; n++) made.board.ended(made.instances[0]?.key ?? '', 'agent-error');

  assert.ok(made.counts({ reachability_score: 1 })('i0') <= made.counts(undefined)('i0'));
  assert.ok(made.counts({ reachability_score: 1 })('i0') < 0.2);
});

test('weights that are all 0 change nothing, and one of whom no time is known is given a chance', async () => {
  const made = open();
  await answers(made, [20, 20]);

  const none = made.counts({ latency: 0, affinity: 0 });
  assert.ok(['i0', 'i1', 'i2'].every((name) => none(name) > 0.2));
  assert.ok(made.counts({ latency: 1 })('i2') > 0);
});

test('an explanation says how far each is what is preferred', async () => {
  const made = open(['i0', 'i1']);
  await answers(made, [9, 99]);
  const prefer = { weights: { latency: 1 }, key: 'x' };

  const views = explain(decide(selector({ prefer }), anybody, made.ports), made.ports);

  assert.deepEqual(
    views.map(({ prefer: liked }) => liked),
    [1, 0.1],
  );
  const plain = explain(decide(selector(), anybody, made.ports), made.ports);
  assert.ok(plain.every((view) => !('prefer' in view)));
});

test('among capabilities that say the same preference chooses, after priority; it flips no clear winner', async () => {
  const weather = capability(SHOP[3]);
  const twin = { ...weather, name: 'meteo.forecast' };
  const wanted = (weights: Prefer) =>
    selector({
      capability: undefined,
      intent: 'the weather forecast of a city',
      params: { city: 'x' },
      prefer: { weights, key: 'x' },
    });
  const withTwin = async (priority: number) => {
    const made = open([]);
    const [one] = addAgent(made.directory, definition('first', [weather]), ['slow']);
    const [two] = addAgent(made.directory, definition('second', [{ ...twin, priority }]), ['fast']);
    addAgent(made.directory, definition('track', SHOP.slice(0, 3)), ['other']);
    await answers({ ...made, instances: [one, two].filter((x) => x !== undefined) }, [90, 9]);
    return made.ports;
  };

  const latency = wanted({ latency: 1 });
  assert.equal(chosen(decide(latency, anybody, await withTwin(weather.priority))), 'fast');
  assert.equal(chosen(decide(latency, anybody, await withTwin(weather.priority - 1))), 'slow');
  // Parcels are tracked in no time, and weather is what was asked for.
  const ports = await withTwin(weather.priority);
  assert.notEqual(chosen(decide(latency, anybody, ports)), 'other');
});
