import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBSERVED } from '@agent-reach/core';
import { defaultsOf } from '@agent-reach/core/kernel';
import { ManualClock, testRandom } from '@agent-reach/core/testing';
import { Scores } from '../registry/scores.ts';
import { addAgent, definition, emptyDirectory, instanceRow } from '../registry/testing/builders.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { survey } from './decide.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { panicOf } from './panic.ts';
import { openRouting } from './ports.ts';
import { anybody, selector } from './testing/selector.ts';

test('most decisions need no weights to see that there is no emergency, and none is missed for it', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const clock = new ManualClock();
  const board = boardOn(clock);
  let panics = 0;
  for (let round = 0; round < 500; round++) {
    const directory = emptyDirectory();
    const rows = Array.from({ length: 1 + random.below(8) }, (_, n) =>
      instanceRow('a', `i-${n}`, {
        intent: random.below(8) === 0 ? 'draining' : 'enabled',
        mode: random.below(6) === 0 ? 'pull' : 'push',
        tags: random.below(4) === 0 ? { capacity: '0' } : {},
      }),
    );
    for (const instance of addAgent(directory, definition('a'), rows)) {
      instance.observed = OBSERVED[random.below(OBSERVED.length)] ?? 'up';
    }
    const options = defaultsOf(ROUTING_OPTIONS);
    const scores = new Scores(clock, board);
    const ports = openRouting({ directory, board, scores, random, options });
    const found = survey(selector(), { ...anybody, addressed: round % 2 === 0 }, ports);
    if (found.outcome !== 'fitting') continue;

    const quick = panicOf(found.fitting, ports);
    // Without those that could be taken nothing can be seen quickly.
    const whole = panicOf(
      found.fitting.map((one) => ({ ...one, instances: [] })),
      ports,
    );

    assert.deepEqual(quick, whole);
    if (whole !== undefined) panics += 1;
  }
  assert.ok(panics > 20, `${panics} emergencies`);
});
