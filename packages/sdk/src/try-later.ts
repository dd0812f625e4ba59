const BRAND = Symbol.for('agent-reach.try-later');

/**
 * A handler's word that it did nothing, and that another moment may do: the bank is closed, the
 * model is loading. The gateway may then ask again whatever the effect; anything else that a
 * handler throws may have taken effect, so only reads and idempotent writes are repeated after it.
 */
export class TryLater extends Error {
  override readonly name = 'TryLater';
  readonly [BRAND] = true;
  /** Not before, milliseconds from now; undefined: the gateway chooses. */
  readonly afterMs: number | undefined;

  /** @param detail One sentence for whoever waits. It is shown to callers. */
  constructor(detail: string, { afterMs }: { afterMs?: number } = {}) {
    super(detail);
    if (afterMs !== undefined && !(Number.isInteger(afterMs) && afterMs >= 0)) {
      throw new TypeError(`afterMs is a whole number from 0 on, not ${afterMs}.`);
    }
    this.afterMs = afterMs;
  }

  /** True across copies of this module: an agent and a library of its own may each bring one. */
  static is(value: unknown): value is TryLater {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
