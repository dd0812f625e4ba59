import {
  type Breaker,
  type BreakerRules,
  enter,
  leave,
  newBreaker,
  type Pass,
  type Verdict,
} from '../breaker-machine.ts';

/** The rules for agents as they are without settings. */
export const AGENT_RULES: BreakerRules = {
  consecutive: 20,
  samplesMin: 20,
  failurePercent: 50,
  slowPercent: 80,
  openMs: 10_000,
  openMaxMs: 60_000,
};

/** A breaker under test: it is told what happens, and how its state is then. */
export class TestBreaker {
  now = 0;
  breaker: Breaker = newBreaker(0);
  readonly rules: BreakerRules;
  mayOpen = true;
  chance = 0.5;

  constructor(rules: Partial<BreakerRules> = {}) {
    this.rules = { ...AGENT_RULES, ...rules };
  }

  get is(): Breaker['state']['is'] {
    return this.breaker.state.is;
  }

  /** The moment until which it is open. */
  get until(): number {
    return this.breaker.state.is === 'open' ? this.breaker.state.until : Number.NaN;
  }

  begin(leaseMs = 2_000): Pass | undefined {
    const { breaker, pass } = enter(this.breaker, { at: this.now, leaseMs });
    this.breaker = breaker;
    return pass;
  }

  end(pass: Pass | undefined, verdict: Verdict, isSlow = false): void {
    if (pass === undefined) throw new Error('nothing was let through');
    const result = { verdict, isSlow, at: this.now };
    const { rules, chance, mayOpen } = this;
    this.breaker = leave(this.breaker, pass, result, {
      rules,
      chance: () => chance,
      mayOpen: () => mayOpen,
    });
  }

  /** So many requests one after the other, all with the same end. */
  run(times: number, verdict: Verdict, isSlow = false): void {
    for (let i = 0; i < times; i++) this.end(this.begin(), verdict, isSlow);
  }

  /** Opened by failures in a row, then waited out. */
  halfOpen(): void {
    this.run(this.rules.consecutive, 'failure');
    this.now = this.until;
  }
}
