import type { Capability, JsonSchema, Provider } from '@agent-reach/core';
import { secretPartOf, WHOLLY_SECRET } from '../schemas/secret-part.ts';
import { anyOfPlaces, type SecretPlaces, secretPlacesOf } from '../schemas/secret-places.ts';
import type { Plan } from './plan.ts';
import type { RoadPorts } from './ports.ts';

/** Which way a value goes: to whoever does it, or back from him. */
export type Side = 'input' | 'output';

/** Whose secrets a value may hold, as far as that is known. */
export interface Holders {
  tenant: string;
  /** Names of capabilities; none but undefined ones: whatever the tenant has may be meant. */
  names: readonly (string | undefined)[];
  /** Contracts of those who were looked at then: by now they may be gone, or say otherwise. */
  seen?: Iterable<Capability>;
  /** The same as a stored order keeps it. */
  kept?: KeptSecrets;
}

/** Schemas of secrets, as an order keeps them; `unknown`: nobody was there yet to declare them. */
export type KeptSecrets = readonly JsonSchema[] | 'unknown';

/** More contracts that say otherwise are not asked about each field: nothing is shown then. */
const PARTS_MAX = 64;
/** What an order keeps of them at most, JSON; of more, nothing of its result is shown. */
const KEPT_CHARS_MAX = 4_096;

/**
 * Where secrets are in what is sent to a capability, or comes of it: wherever any contract says so,
 * of those who were looked at then and of all who offer it now. Who of them was asked is not always
 * known, and a fallback is sent what another one was asked. A result of which nobody can say any more
 * where its secrets are is one. Undefined: there are none.
 */
export function secretsIn(
  { tenant, names, seen = [], kept = 'unknown' }: Holders,
  side: Side,
  { routing: { directory } }: Pick<RoadPorts, 'routing'>,
): SecretPlaces | undefined {
  const parts = new Map<string, JsonSchema>();
  const offered: Offered[] = [];
  for (const name of names) {
    if (name !== undefined) offered.push(offeredIn(directory.offers(tenant, name)));
  }
  if (offered.length === 0) offered.push(offeredIn([...directory.allOffers(tenant)]));
  let isNobody = true;
  for (const { contracts, parts: ofList } of offered) {
    if (contracts.size > 0) isNobody = false;
    for (const [text, schema] of ofList[side]) parts.set(text, schema);
  }
  // Those who were looked at are mostly those who offer it now.
  for (const one of seen) {
    if (offered.some(({ contracts }) => contracts.has(one))) continue;
    isNobody = false;
    addPart(parts, one[side]);
  }
  if (kept !== 'unknown') for (const schema of kept) parts.set(JSON.stringify(schema), schema);
  const isUnknown = kept === 'unknown' && isNobody;
  if (parts.size > PARTS_MAX || (isUnknown && side === 'output')) {
    return secretPlacesOf(WHOLLY_SECRET.schema);
  }
  if (parts.size === 0) return undefined;
  return anyOfPlaces([...parts.values()].map((schema) => secretPlacesOf(schema)));
}

/**
 * What is kept with work, so that the line of its end hides what that of its beginning would, whoever
 * is there by then. Undefined: those who were looked at declare nothing secret.
 */
export function secretsToKeep(seen: readonly Capability[], side: Side): KeptSecrets | undefined {
  if (seen.length === 0) return 'unknown';
  const parts = [...partsOf(seen, side).values()];
  if (parts.length === 0) return undefined;
  return JSON.stringify(parts).length > KEPT_CHARS_MAX ? [WHOLLY_SECRET.schema] : parts;
}

/**
 * The secrets of a result that is given again, under its key: by the contracts of whoever gave it. Where he
 * has left or declares something else by now, it is hidden as a whole: the line of the first time shows it.
 */
export function repeatedSecrets(
  holders: Holders,
  { agent, version }: Provider,
  ports: Pick<RoadPorts, 'routing'>,
): SecretPlaces | undefined {
  const { definition } = ports.routing.directory.agent(holders.tenant, agent) ?? {};
  return definition?.manifestVersion === version
    ? secretsIn({ ...holders, seen: definition.manifest.capabilities }, 'output', ports)
    : secretPlacesOf(WHOLLY_SECRET.schema);
}

/** The contracts of those who were looked at for what was planned. */
export function contractsOf({ capability, weighed }: Pick<Plan, 'capability' | 'weighed'>) {
  const contracts = weighed.map(({ provider }) => provider.capability);
  return contracts.filter(({ name }) => name === capability);
}

/** All contracts of a list of offers, and where they say secrets are. */
interface Offered {
  contracts: ReadonlySet<Capability>;
  parts: Readonly<Record<Side, ReadonlyMap<string, JsonSchema>>>;
}

type Offers = ReturnType<RoadPorts['routing']['directory']['offers']>;

/** By the list: where somebody offers, changes or withdraws a capability it is another one. */
const known = new WeakMap<Offers, Offered>();

function offeredIn(offers: Offers): Offered {
  let offered = known.get(offers);
  if (offered === undefined) {
    const contracts = new Set(offers.map(({ capability }) => capability));
    const parts = { input: partsOf(contracts, 'input'), output: partsOf(contracts, 'output') };
    offered = { contracts, parts };
    known.set(offers, offered);
  }
  return offered;
}

/** Each part once, by its text: many who offer the same mostly declare the same. */
function partsOf(contracts: Iterable<Capability>, side: Side): Map<string, JsonSchema> {
  const parts = new Map<string, JsonSchema>();
  for (const contract of contracts) addPart(parts, contract[side]);
  return parts;
}

function addPart(parts: Map<string, JsonSchema>, schema: JsonSchema): void {
  const part = secretPartOf(schema);
  if (part !== undefined) parts.set(part.text, part.schema);
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
