import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHIFT, SLOPE } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import { CALIBRATION } from './calibration.ts';
import { BUDGETS } from './calibrator.ts';
import { cutLabelsMin, fitOwn, type Label } from './fit-own.ts';
import { adapt, cutOf, floorOf, logit } from './own-fit.ts';
import { wilson } from './wilson.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Labels of a registry in which the probability is off by this line. */
function labelled(
  count: number,
  { slope, shift }: { slope: number; shift: number },
  random: Random,
): Label[] {
  return Array.from({ length: count }, () => {
    const shipped = sigmoid(8 * random.next() - 3);
    return { shipped, isRight: random.next() < sigmoid(slope * logit(shipped) + shift) };
  });
}

test('without labels a fit leaves everything as it ships, to the last digit', () => {
  const { slope, shift, labels, routeFrom } = fitOwn([], CALIBRATION);

  assert.deepEqual(
    { slope, shift, labels, routeFrom },
    { slope: 1, shift: 0, labels: 0, routeFrom: {} },
  );
});

for (const line of [
  { slope: 0.5, shift: -1 },
  { slope: 1, shift: 1.5 },
  { slope: 2, shift: 0.5 },
]) {
  test(`many labels find out a probability that is off by ${line.slope} and ${line.shift}`, (t) => {
    const random = testRandom((seed) => t.diagnostic(seed));

    const fit = fitOwn(labelled(40_000, line, random), CALIBRATION);

    assert.ok(Math.abs(fit.slope - line.slope) < 0.12, `slope ${fit.slope}`);
    assert.ok(Math.abs(fit.shift - line.shift) < 0.15, `shift ${fit.shift}`);
  });
}

test('ten labels hardly move it, and not far if all of them lie', (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  const isNear = (labels: Label[], most: number) => {
    const fit = fitOwn(labels, CALIBRATION);
    for (const shipped of [0.1, 0.5, 0.8, 0.9, 0.98]) {
      const by = Math.abs(adapt(shipped, fit) - shipped);
      assert.ok(by < most, `${shipped} by ${by} ${JSON.stringify(fit)}`);
    }
    assert.deepEqual(fit.routeFrom, {});
  };
  for (let round = 0; round < 200; round++) {
    const labels = labelled(10, { slope: 1, shift: 0 }, random);
    isNear(labels, 0.1);
    isNear(
      labels.map((one) => ({ ...one, isRight: round % 2 === 0 })),
      0.2,
    );
  }
});

test('whatever is labelled, slope and shift stay bounded and what was surer stays so', (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  const ends = [0, 1, 1e-300, 1 - 2 ** -53, 0.5];
  for (let round = 0; round < 300; round++) {
    const isAll = random.below(4);
    const labels = Array.from({ length: random.below(3_000) }, (): Label => {
      const shipped = random.below(3) === 0 ? (ends[random.below(5)] ?? 0) : random.next();
      // All right, all wrong, told apart without a fault, or by chance.
      const isRight = [true, false, shipped > 0.7, random.next() < 0.5][isAll] ?? false;
      return { shipped, isRight };
    });

    const fit = fitOwn(labels, CALIBRATION);

    assert.ok(fit.slope >= SLOPE.minimum && fit.slope <= SLOPE.maximum, `slope ${fit.slope}`);
    assert.ok(fit.shift >= SHIFT.minimum && fit.shift <= SHIFT.maximum, `shift ${fit.shift}`);
    const adapted = [0, 1e-9, 0.01, 0.3, 0.5, 0.7, 0.95, 1 - 1e-5, 1].map((p) => adapt(p, fit));
    assert.deepEqual(
      adapted,
      adapted.toSorted((a, b) => a - b),
    );
    assert.ok(new Set(adapted.slice(2, 7)).size === 5 && adapted.every((p) => p >= 0 && p < 1));
  }
});

test('labels get their own cuts from as many on as can say that a budget holds, and not before', (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  assert.deepEqual(
    BUDGETS.map((budget) => cutLabelsMin(budget)),
    [3_380, 335, 300],
  );
  const right = { slope: 1, shift: 0 };
  const cutsOf = (count: number) =>
    Object.keys(fitOwn(labelled(count, right, random), CALIBRATION).routeFrom).sort();

  assert.deepEqual(cutsOf(299), []);
  assert.deepEqual(cutsOf(300), ['5']);
  assert.deepEqual(cutsOf(334), ['5']);
  assert.deepEqual(cutsOf(335), ['1', '5']);
  assert.deepEqual(cutsOf(3_380), ['0.1', '1', '5']);
});

test('labels that neither vouch for a cut nor speak against it leave what was routed as it was', () => {
  const from = CALIBRATION.routeFrom['1'];
  const labels = Array.from({ length: 400 }, (_, i): Label => {
    const isWrong = i % 150 === 0;
    return { shipped: isWrong ? from + 0.02 : from - 0.4 + i / 1_000, isRight: !isWrong };
  });
  const fit = fitOwn(labels, CALIBRATION);
  assert.ok(Math.abs((fit.routeFrom['1'] ?? 0) - adapt(from, fit)) < 1e-5);

  const worse = labels.map((one, i) =>
    i % 50 === 0 ? { ...one, shipped: from + 0.02, isRight: false } : one,
  );
  const stricter = fitOwn(worse, CALIBRATION);
  assert.ok((stricter.routeFrom['1'] ?? 0) > adapt(from + 0.02, stricter));
});

test('labels without a fault loosen no budget beyond what ships for the next one', () => {
  const labels = Array.from({ length: 5_000 }, (_, i) => {
    return { shipped: (i + 0.5) / 5_000, isRight: true };
  });

  const fit = fitOwn(labels, CALIBRATION);

  const cuts = BUDGETS.map((budget) => [budget, fit.routeFrom[budget] ?? 0] as const);
  for (const [budget, cut] of cuts) assert.ok(cut >= floorOf(budget, CALIBRATION), budget);
  assert.equal(fit.routeFrom['0.1'], CALIBRATION.routeFrom['1']);
});

test('what was rather wrong than right is made no surer, however right labels are', () => {
  const labels = Array.from({ length: 5_000 }, (_, i) => {
    return { shipped: (i + 0.5) / 5_000, isRight: true };
  });
  const fit = fitOwn(labels, CALIBRATION);

  assert.equal(adapt(0.49, fit), 0.49);
  assert.ok(adapt(0.5, fit) > 0.9);
});

test('where nothing keeps a budget its cut lets nothing pass, and no stricter budget passes more', () => {
  const labels = Array.from({ length: 600 }, (_, i) => {
    return { shipped: 0.9999, isRight: i % 4 !== 0 };
  });

  const fit = fitOwn(labels, CALIBRATION);

  assert.equal(fit.routeFrom['1'], 1);
  assert.ok(adapt(1, fit) < 1);
  assert.equal(cutOf('0.1', { calibration: CALIBRATION, fit }), 1);
});

test('of ten labels one that is wrong raises no budget: what is routed wrong stays within it', (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  for (const line of [
    { slope: 1, shift: 0 },
    { slope: 0.6, shift: -0.8 },
    { slope: 1.5, shift: 1 },
  ]) {
    for (const count of [100, 400, 2_000]) {
      const labels = labelled(count, line, random).map((one) => {
        return random.below(10) === 0 ? { ...one, isRight: !one.isRight } : one;
      });
      const fit = fitOwn(labels, CALIBRATION);
      const asked = labelled(20_000, line, random);
      for (const budget of ['1', '5'] as const) {
        const cut = cutOf(budget, { calibration: CALIBRATION, fit });
        const wrong = asked.filter(
          ({ shipped, isRight }) => !isRight && adapt(shipped, fit) >= cut,
        );
        // As near as so many labels can tell.
        const { low } = wilson(wrong.length / asked.length, count);
        const before = asked.filter(
          ({ shipped, isRight }) => !isRight && shipped >= CALIBRATION.routeFrom[budget],
        );
        // Few labels mend little of a registry in which what ships is too sure: they make it no worse.
        const most = Math.max(Number(budget) / 100, before.length / asked.length);
        assert.ok(low <= most, `${JSON.stringify(line)} ${count} ${budget}: ${wrong.length}`);
      }
    }
  }
});

test('a floor is what ships for the next budget, and for the last the even chance', () => {
  assert.deepEqual(
    BUDGETS.map((budget) => floorOf(budget, CALIBRATION)),
    [CALIBRATION.routeFrom['1'], CALIBRATION.routeFrom['5'], 0.5],
  );
});
