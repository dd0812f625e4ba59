import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Period, periodsAround, PERIODS, type Random } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import type { BudgetTerms } from '../../spi/budgets.ts';
import type { LedgerStore } from '../../spi/ledger.ts';
import { inMemory } from '../../sqlite/testing/memory.ts';
import { tempStores, whyNoRedis } from '../testing/kit.ts';

const why = await whyNoRedis();
const stores = why === undefined ? await tempStores() : undefined;
const NOON = 1_800_000_000_000;
const HISTORIES = 25;
const STEPS = 60;

suite('budgets in Lua', { skip: why ?? false }, () => {
  test('say to the last digit what the machine says, whatever happens', async (t) => {
    const random = testRandom((line) => t.diagnostic(line));
    assert.ok(stores);
    await using lua = await stores.open();
    await using plain = await inMemory.open();
    for (let history = 0; history < HISTORIES; history++) {
      await compare(lua.ledger, plain.ledger, { random, history });
    }
  });
});

async function compare(
  lua: LedgerStore,
  plain: LedgerStore,
  { random, history }: { random: Random; history: number },
): Promise<void> {
  const period = PERIODS[random.below(PERIODS.length)] ?? 'day';
  const rules = [0, 1].map((n) => someRules(random, `h${history}/${n}`));
  let now = NOON + random.below(1_000_000_000);
  const told: unknown[] = [];
  for (let step = 0; step < STEPS; step++) {
    now += WAITS[random.below(WAITS.length)] ?? 0;
    const budgets = rules.map((rule) => ({ ...rule, bounds: boundsOf(period, now) }));
    const say = someMove(random, { budgets, now, step });
    told.push(say.words);
    const [expected, answered] = [await say.to(plain), await say.to(lua)];
    assert.deepEqual(answered, expected, `after ${JSON.stringify(told)}`);
  }
}

const WAITS = [0, 0, 0, 1, 29_999, 60_000, 61_000, 3_600_000, 86_400_000, 2_000_000_000];

function boundsOf(period: Period, now: number): number[] {
  return periodsAround(now, { period, zone: 'Europe/Berlin', before: 1, after: 1 });
}

/** Odd numbers of millionths, now small, now as large as may be. */
function someRules(random: Random, name: string): Omit<BudgetTerms, 'bounds'> {
  const scale = [1, 1_000_003, 99_999_999_999_977][random.below(3)] ?? 1;
  const limit = (3 + random.below(7)) * scale;
  const cap = Math.ceil((limit * (1 + random.below(4))) / 4);
  return { name, limit, cap, soft: Math.floor(limit * 0.8), carryMax: random.below(2) * scale };
}

function someMove(
  random: Random,
  { budgets, now, step }: { budgets: BudgetTerms[]; now: number; step: number },
): { words: unknown; to: (ledger: LedgerStore) => Promise<unknown> } {
  const id = `r${Math.max(0, step - random.below(6))}`;
  const amountOf = ({ limit }: BudgetTerms) => Math.floor((limit * random.below(5)) / 7);
  switch (random.below(5)) {
    case 0:
      return { words: { look: now }, to: (ledger) => ledger.budgets({ budgets, now }) };
    case 1:
    case 2: {
      const charges = budgets.map((terms) => ({ name: terms.name, amount: amountOf(terms) }));
      const move = { id, charges };
      return { words: { charge: move }, to: (ledger) => ledger.charge(move) };
    }
    default: {
      const asked = budgets.map((terms) => ({ ...terms, amount: amountOf(terms) }));
      const ttlMs = [30_000, 100_000, 90_000_000][random.below(3)] ?? 0;
      const move = { id: `r${step}`, budgets: asked, ttlMs, now };
      return { words: { reserve: move }, to: (ledger) => ledger.reserve(move) };
    }
  }
}
