import { degradeOf, Reach, ReachError } from '@agent-reach/sdk';

const reach = new Reach({ agentId: 'customer-service' });

try {
  const answer = await reach.call<{ count: number }>('check_stock', { sku: 'PHONE-15' });
  process.stdout.write(`${answer.result.count} left, says ${answer.provider.agent}\n`);
} catch (error) {
  if (!ReachError.is(error)) throw error;
  // `code` says what happened, `executed` whether the agent ran: no, yes or unknown.
  process.stdout.write(degradeOf(error)?.text ?? `${error.code}: ${error.message}\n`);
}
