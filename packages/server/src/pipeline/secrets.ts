import { anyOfPlaces, type SecretPlaces, secretPlacesOf } from '../schemas/secret-places.ts';
import type { RoadPorts } from './ports.ts';

/**
 * Where secrets are in what is sent to a capability, or comes of it, by the schemas of all who offer it:
 * who of them was asked is not always known, and a fallback is sent what another one was asked.
 * Undefined: no schema says so, or nobody is there to say it.
 */
export function secretsIn(
  capabilities: readonly (string | undefined)[],
  { tenant, side }: { tenant: string; side: 'input' | 'output' },
  { routing }: Pick<RoadPorts, 'routing'>,
): SecretPlaces | undefined {
  const places: (SecretPlaces | undefined)[] = [];
  for (const name of capabilities) {
    if (name === undefined) continue;
    for (const { capability } of routing.directory.offers(tenant, name)) {
      places.push(secretPlacesOf(capability[side]));
    }
  }
  return anyOfPlaces(places);
}

/** The places of a value that stands in one field of another. */
export function underField(
  name: string,
  places: SecretPlaces | undefined,
): SecretPlaces | undefined {
  if (places === undefined) return undefined;
  return {
    isSecret: false,
    field: (other) => (other === name ? places : undefined),
    item: () => undefined,
  };
}
