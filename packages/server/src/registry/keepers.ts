import { type Clock, defaultsOf, type Random, type Values } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import { Admission } from './admission.ts';
import { Beats } from './beats.ts';
import type { Directory } from './directory.ts';
import { SelfDoubt } from './doubt.ts';
import { FenceBook } from './fence-book.ts';
import { REGISTRY_OPTIONS } from './options.ts';
import type { RegistryPorts } from './ports.ts';
import type { Scores } from './scores.ts';
import { SilenceBook } from './silence.ts';

/** What those that keep leases true remember from beat to beat. Of one gateway, and none of it truth. */
export function keepers(
  ports: {
    directory: Directory;
    scores: Scores;
    peers: Peers;
    clock: Clock;
    random: Random;
  },
  options: Values<typeof REGISTRY_OPTIONS> = defaultsOf(REGISTRY_OPTIONS),
): Pick<RegistryPorts, 'beats' | 'doubt' | 'fences' | 'silences' | 'admission'> {
  const silences = new SilenceBook();
  return {
    silences,
    fences: new FenceBook(),
    beats: new Beats({ ...ports, options, isHeld: (tenant) => silences.isHeld(tenant) }),
    doubt: new SelfDoubt(ports.clock),
    admission: new Admission(ports, options.registrationsPerSecond),
  };
}
