import {
  type Capability,
  describe,
  featuresOf,
  fingerprintOf,
  foldTwins,
  type Question,
  rank,
  type Sensed,
} from '@agent-reach/server/meaning';
import { catalogueOf, type Labelled, type RoutingSet } from './data.ts';
import { type Fields, Plain } from './plain.ts';

/** A labelled question as it was ranked. */
export interface Observation {
  kind: 'in scope' | 'out of scope' | 'ambiguous';
  features: readonly number[];
  ranking: ReturnType<typeof foldTwins>;
  /** Among the first candidates: where the right one stands, from 0; -1: nowhere. */
  place: number;
  /** Only some of the set may be chosen. */
  isNarrow: boolean;
  /** The same for the plain fused baseline, and the score of its best. */
  plain: { place: number; score: number };
}

/** One set with so many examples a capability. */
export interface Case {
  set: string;
  /** Sets of one origin: a calibration is tried on those that it has not seen. */
  family: string;
  examples: number;
  /** For which legs a calibration of it is. */
  fingerprint: string;
  observations: readonly Observation[];
}

/** Ranks every question of every set, without and with examples. */
export function observeAll(sets: readonly RoutingSet[], examples: readonly number[]): Case[] {
  return sets.flatMap((set) => {
    const counts = set.examples.size === 0 ? examples.filter((n) => n === 0) : examples;
    return counts.map((count) => observe(set, count));
  });
}

/** Ranks every question of a set, or those in `senses`, by their vectors as well where they have one. */
export function observe(
  set: RoutingSet,
  examples: number,
  prepared: CatalogueOf = catalogueOf(set, examples),
  senses?: ReadonlyMap<Labelled, Sensed | undefined>,
): Case {
  const { catalogue, idOf } = prepared;
  const plainly = plainlyIn(prepared);
  const seen = set.questions.filter((one) => senses === undefined || senses.has(one));
  const observations = seen.map((labelled): Observation => {
    const allowed = labelled.candidates && new Set(labelled.candidates);
    const mayBe = (name: string) => allowed === undefined || allowed.has(idOf(name));
    const question: Question = {
      intent: labelled.text,
      params: labelled.payload ?? {},
      admits: (name) => (mayBe(name) ? 'in' : 'out'),
    };
    const ranking = foldTwins(rank(question, catalogue, senses?.get(labelled)));
    const ids = ranking.candidates
      .filter(({ score }) => score > 0)
      .map((candidate) => idOf(candidate.name));
    return {
      kind: kindOf(labelled),
      features: featuresOf(ranking),
      ranking,
      place: ids.findIndex((id) => isRight(labelled, id)),
      isNarrow: allowed !== undefined,
      plain: plainly(labelled, mayBe),
    };
  });
  const family = set.name.replace(/-(crowd-zh|zh|en|oos)$/, '');
  const [model] = [...(senses?.values() ?? [])].map((sense) => sense?.model);
  return { set: set.name, family, examples, fingerprint: fingerprintOf(model), observations };
}

/** How the baseline ranks the capabilities of a set. */
function plainlyIn({ capabilities, idOf }: CatalogueOf) {
  const baseline = new Plain(capabilities.map(fieldsOf), SPELLED);
  return (labelled: Labelled, mayBe: (name: string) => boolean): Observation['plain'] => {
    const scores = baseline.score(labelled.text);
    const ranked = capabilities
      .map(({ name }, at) => ({ name, score: scores[at] ?? 0 }))
      .filter(({ name, score }) => score > 0 && mayBe(name))
      .sort((a, b) => b.score - a.score);
    const place = ranked.slice(0, 10).findIndex(({ name }) => isRight(labelled, idOf(name)));
    return { place, score: ranked[0]?.score ?? 0 };
  };
}

/** All but the parameters. */
const SPELLED = 4;

function fieldsOf(capability: Capability): Fields {
  const { names, description, tags, examples, parameters } = describe(capability);
  return [
    [names.join('\n'), 1.5],
    [description, 1],
    [tags.join('\n'), 0.5],
    [examples.join('\n'), 1],
    [parameters.join('\n'), 0.3],
  ];
}

type CatalogueOf = ReturnType<typeof catalogueOf>;

function kindOf({ expected }: Labelled): Observation['kind'] {
  if (expected === null) return 'out of scope';
  return typeof expected === 'string' ? 'in scope' : 'ambiguous';
}

/** For an ambiguous question any of the listed is a fair answer. */
function isRight({ expected }: Labelled, id: string): boolean {
  if (expected === null) return false;
  return typeof expected === 'string' ? expected === id : expected.includes(id);
}
