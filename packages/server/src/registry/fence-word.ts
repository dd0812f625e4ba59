import type { Output } from '@agent-reach/core';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';

/** In its last moments a fence is told for so long, until it is renewed or lifted. */
const TOLD_MS_MIN = 1_000;

/**
 * What an instance that beats is told of its fence. Where there is none it is told that, with the
 * latest epoch: a gateway that has not read of a new fence yet lifts nothing.
 */
export function fenceWord(
  { fence, row: { tenant } }: Instance,
  { fences, clock }: Pick<RegistryPorts, 'fences' | 'clock'>,
): Pick<Output<'agents.heartbeat'>, 'fence'> {
  if (fence !== undefined) {
    const leftMs = Math.ceil(fence.until - clock.now());
    return { fence: { epoch: fence.epoch, for_ms: Math.max(TOLD_MS_MIN, leftMs) } };
  }
  const epoch = fences.versionOf(tenant);
  return epoch === 0 ? {} : { fence: { epoch, for_ms: 0 } };
}
