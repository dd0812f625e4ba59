import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { Random } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import type { KeyName, KeyRecord, KeyVerdict, LedgerStore } from '../spi/ledger.ts';
import { type Driver, NOON, scenario } from './driver.ts';

/**
 * Random histories of a few keys, told to the driver and to a model of twenty lines, whose every
 * answer must agree. Few keys, few tokens and short times, so that stale tokens, lapsed claims and
 * expired keys are the common case.
 */
export function exerciseLedgerModel(driver: Driver): void {
  suite('ledger: random histories', () => {
    scenario(driver, 'the driver answers as the model does', async ({ ledger }, note) => {
      const random = testRandom(note);
      for (let history = 0; history < HISTORIES; history++) {
        await compare(ledger, random, `h${history}`);
      }
    });
  });
}

const HISTORIES = 40;
const STEPS = 60;

async function compare(ledger: LedgerStore, random: Random, scope: string): Promise<void> {
  const model = new Model();
  const told: unknown[] = [];
  let now = NOON;
  for (let step = 0; step < STEPS; step++) {
    // Never backwards, often not at all: neighbours in one moment are where bounds are tried.
    now += random.below(3) * 5;
    const move = someMove(random, scope, { now, step });
    told.push(move);
    const expected = model.play(move);
    const answered = await play(ledger, move);
    assert.deepEqual(answered, expected, `after ${JSON.stringify(told)}`);
  }
}

type Move =
  | ({ act: 'lookup' } & Parameters<LedgerStore['lookup']>[0] & Timed)
  | ({ act: 'claim' } & Parameters<LedgerStore['claim']>[0] & Timed)
  | ({ act: 'extend' } & Parameters<LedgerStore['extend']>[0] & Timed)
  | ({ act: 'settle' } & Parameters<LedgerStore['settle']>[0] & Timed);

interface Timed {
  now: number;
}

function someMove(random: Random, scope: string, at: { now: number; step: number }): Move {
  const { now, step } = at;
  const name = { scope, key: `k${random.below(2)}` };
  // Mostly of the recent past, so that it is now current, now stale.
  const token = `t${Math.max(0, step - 1 - random.below(4))}`;
  const claimMs = 5 * (1 + random.below(3));
  const ttlMs = 5 * (1 + random.below(8));
  switch (random.below(6)) {
    case 0:
      return { act: 'lookup', ...name, now };
    case 1:
      return { act: 'extend', ...name, token, claimMs, now };
    case 2:
    case 3:
      return { act: 'settle', ...name, token, verdict: someVerdict(random, step), ttlMs, now };
    default: {
      const over = random.below(2) === 0 ? { over: token } : {};
      const facts = { fingerprint: `f${random.below(3)}`, pinned: `{"step":${step}}` };
      return { act: 'claim', ...name, ...facts, token: `t${step}`, ...over, claimMs, ttlMs, now };
    }
  }
}

function someVerdict(random: Random, step: number): KeyVerdict {
  const state = (['done', 'unknown', 'free'] as const)[random.below(3)] ?? 'free';
  return state === 'done' ? { state, answer: `{"step":${step}}` } : { state };
}

function play(ledger: LedgerStore, move: Move): Promise<unknown> {
  switch (move.act) {
    case 'lookup':
      return ledger.lookup(move);
    case 'claim':
      return ledger.claim(move);
    case 'extend':
      return ledger.extend(move);
    case 'settle':
      return ledger.settle(move);
  }
}

/** The key machine as its docstrings tell it. */
class Model {
  readonly #keys = new Map<string, KeyRecord>();

  play(move: Move): unknown {
    const record = this.#present(move, move.now);
    if (move.act === 'lookup') return record;
    if (move.act === 'claim') return this.#claim(move, record);
    // Told `unknown` by its holder, a key has ended; by the clock alone, it has not.
    const held = this.#keys.get(move.key)?.state === 'claimed' && record?.token === move.token;
    if (!held || record === undefined) return false;
    const { fingerprint, pinned, token } = record;
    const known = { fingerprint, pinned, token };
    if (move.act === 'extend') {
      const claimEndsAt = move.now + move.claimMs;
      const expiresAt = Math.max(record.expiresAt, claimEndsAt);
      this.#keys.set(move.key, { ...known, expiresAt, state: 'claimed', claimEndsAt });
    } else if (move.verdict.state === 'free') this.#keys.delete(move.key);
    else this.#keys.set(move.key, { ...known, expiresAt: move.now + move.ttlMs, ...move.verdict });
    return true;
  }

  #claim(move: Move & { act: 'claim' }, record: KeyRecord | undefined): unknown {
    const free = record === undefined || (record.state === 'unknown' && record.token === move.over);
    if (!free) return { outcome: 'held', record };
    const { fingerprint, pinned, token, now, claimMs, ttlMs } = move;
    this.#keys.set(move.key, {
      fingerprint,
      pinned,
      token,
      expiresAt: now + Math.max(ttlMs, claimMs),
      state: 'claimed',
      claimEndsAt: now + claimMs,
    });
    return { outcome: 'claimed' };
  }

  #present({ key }: KeyName, now: number): KeyRecord | undefined {
    const record = this.#keys.get(key);
    if (record === undefined || record.expiresAt <= now) return undefined;
    if (record.state !== 'claimed' || record.claimEndsAt > now) return record;
    const { claimEndsAt: _, ...rest } = record;
    return { ...rest, state: 'unknown' };
  }
}
