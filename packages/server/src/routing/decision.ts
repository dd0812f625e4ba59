import type { ErrorCode, ErrorFacts, MatchStrategy, RouteStrategy } from '@agent-reach/core';
import type { Instance, Provider } from '../registry/directory.ts';
import type { Method } from './balance.ts';
import type { Findable } from './findable.ts';
import type { Option } from './meaning/differ.ts';
import type { Reading } from './meaning/interpret.ts';
import type { Pin } from './pin-book.ts';
import type { Preference } from './prefer.ts';
import type { Sense } from './meaning/sense.ts';

/** What is asked for. At least one of capability, intent and tags is given. */
export interface Selector {
  tenant: string;
  capability: string | undefined;
  intent: string | undefined;
  tags: Readonly<Record<string, string>>;
  strictTags: boolean;
  agent: string | undefined;
  version: string | undefined;
  params: unknown;
  /** Where it comes from: what has one source stays together. */
  sourceId: string | undefined;
  /** What the version is drawn by, where several share the work: the source, else what is unique. */
  draw: string;
  /** What is to decide; `auto` unless said. */
  strategy?: MatchStrategy | undefined;
  /** What it would like of those who are as good as each other. */
  prefer?: Preference | undefined;
  /** How the capability was found, where the caller did not name it. */
  found?: { strategy: RouteStrategy; score: number };
  /** What an embedder makes of the intent; undefined: none was asked. */
  sense?: Sense;
  /** Set when a version was chosen before; `is` undefined: any version may have it. */
  group?: { is: string | undefined };
}

/** The facts of an offer on which a grant may depend. */
export interface OfferFacts {
  tenant: string;
  agentId: string;
  capability: string;
}

/** One offer that was looked at, and why it is out; undefined while it is in. */
export interface Weighed {
  provider: Provider;
  out: string | undefined;
  /** Set where it is out for no other reason than that tags alone do not find it. */
  notByTags?: Findable;
  /** Instances that match what is asked for, there or away; none while the offer is out. */
  members: readonly Instance[];
  /** Of them, those that a route could take. */
  instances: readonly Ranked[];
}

/** An instance and how willingly it is taken: 0 first, and a higher rank only when no lower is left. */
export interface Ranked {
  instance: Instance;
  rank: number;
  /** Of `rank`, what its own state gives; see `tierOf`. */
  tier: number;
  /** The part of its weight that does not change by itself, over 0. */
  standing: number;
}

/** What a route ends in: one provider, a question, or none. */
export type Decision = {
  weighed: readonly Weighed[];
  warnings: string[];
  /** What the intent was taken to mean, where it was read. */
  reading?: Reading | undefined;
  /** What nails it down, if anything does. */
  pin?: Pin | undefined;
} & (
  | {
      outcome: 'route';
      strategy: RouteStrategy;
      score: number;
      provider: Provider;
      instance: Instance;
      /** The version that was chosen first; undefined: none was. */
      group: string | undefined;
      /** How far each of them is what is preferred, if anything is. */
      preferred: ((instance: Instance) => number) | undefined;
      /** In one word, how one of those who could was chosen. */
      chosenBy: Method['by'];
      /** So few can be reached that those in doubt are used as well. */
      isPanic: boolean;
    }
  | { outcome: 'ask'; capabilities: string[]; options: readonly Option[] }
  | { outcome: 'none'; code: ErrorCode; detail: string; facts: ErrorFacts }
);

/** All who fit, before one of them is chosen; or the end that a decision without a choice has. */
export type Survey =
  | {
      outcome: 'fitting';
      strategy: RouteStrategy;
      score: number;
      fitting: readonly Weighed[];
      weighed: readonly Weighed[];
      warnings: string[];
      reading?: Reading | undefined;
      pin?: Pin | undefined;
    }
  | Exclude<Decision, { outcome: 'route' }>;

/** A decision that ended in one provider. */
export type Routed = Extract<Decision, { outcome: 'route' }>;
