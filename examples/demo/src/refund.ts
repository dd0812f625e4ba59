import { needsConfirmation, ReachError } from '@agent-reach/sdk';
import type { House } from './house.ts';
import type { Stage } from './show.ts';
import { TEXTS } from './texts.ts';

/** What the refund agent answers. */
interface Refunded {
  refunded_yuan: number;
}

const REFUND = { order_no: 'ORD202501180001', yuan: 820, card: '4111 1111 1111 1111' };
const TEN_TIMES = { ...REFUND, yuan: 8_200 };

/**
 * A sensitive call: asked for, tried with another amount, approved by somebody else, done once. False
 * when any of it went otherwise.
 */
export async function refundOnce({ reach, alice }: House, stage: Stage): Promise<boolean> {
  if (alice === undefined) return false;
  const { print, paint, language } = stage;
  const texts = TEXTS[language].refund;
  const options = { idempotencyKey: 'refund-ORD202501180001' };
  print('');
  print(paint('yellow', texts.asked(REFUND.yuan)));
  const asked = await reach.call<Refunded>('refund_order', REFUND, options);
  if (!needsConfirmation(asked)) return false;
  const { id } = asked.confirmation;
  print(paint('dim', `202 needs_confirmation ${id}`));

  const { confirmations } = await alice.confirmations.list();
  const seen = confirmations.find((one) => one.id === id)?.preview;
  print(texts.sees('alice', `${seen?.capability} ${JSON.stringify(seen?.params)}`));
  await alice.confirmations.approve(id);
  print(paint('dim', `reach confirmations approve ${id}`));

  print(texts.other(TEN_TIMES.yuan));
  const other = { ...options, idempotencyKey: 'refund-ten-times', confirmationCode: id };
  const isRefused = await reach.call('refund_order', TEN_TIMES, other).then(
    () => false,
    (error: unknown) => {
      if (!ReachError.is(error)) throw error;
      print(paint('red', `✗ ${error.status} ${error.code}: ${error.message}`));
      return error.code === 'confirmation-invalid';
    },
  );
  const done = await reach.confirm<Refunded>(asked);
  print(paint('green', texts.done(done.result.refunded_yuan)));
  const again = await reach.call<Refunded>('refund_order', REFUND, options);
  print(paint('green', texts.replayed(again.result.refunded_yuan)));
  return isRefused && again.replayed && again.result.refunded_yuan === REFUND.yuan;
}
