import { readFileSync } from 'node:fs';
import type { CapabilitySpec, Handler } from '@agent-reach/sdk';
import { noteVisit } from './visits.ts';
import type { OwnOffer, Plan } from './plan.ts';

// The demo's own agents play in a shop of labelled questions, too. What they do is the same; what it
// is called there, and what its parameters are, the plan of the run says.

/** Names the file with the plan of the run; absent in the demo's own story. */
export const PLAN = 'REACH_DEMO_PLAN';

/** What such a file holds. */
export interface Role extends Plan {
  /** Where everybody notes down what he was asked. */
  notesDir: string;
}

/** The plan of the run; undefined in the demo's own story. */
export const role: Role | undefined = roleIn(process.env[PLAN]);

function roleIn(file: string | undefined): Role | undefined {
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Role);
}

/** What an agent of the demo offers: in its own words, or in those of the run. */
export function offered<Params extends object, Result>(
  agent: string,
  spec: CapabilitySpec,
  handler: Handler<Params, Result>,
): [CapabilitySpec, Handler<Params, Result>] {
  if (role === undefined) return [spec, handler];
  const { notesDir, own } = role;
  const offer = own[spec.name];
  // What it does to the world and what it answers stay its own.
  const { effect, idempotency, sensitive } = spec;
  return [
    { ...spec, ...offer?.spec, effect, idempotency, sensitive },
    (params, ctx) => {
      noteVisit(notesDir, agent, ctx);
      return handler(renamed(params, offer, 'own') as Params, ctx);
    },
  ];
}

/** What the demo's own `capability` and its parameters are called here. */
export function calledHere(
  capability: string,
  params: object,
): { capability: string; params: object } {
  const offer = role?.own[capability];
  return {
    capability: offer?.spec.name ?? capability,
    params: renamed(params, offer, 'here'),
  };
}

/** What the demo's own agents call what a capability of this name demands. */
export function ownNames(capability: string, names: readonly string[]): string[] {
  const pairs = Object.entries(offerOf(capability)?.params ?? {});
  return names.map((name) => pairs.find(([, here]) => here === name)?.[0] ?? name);
}

/** Parameters by the names that a capability of this name has for them. */
export function filledIn(capability: string, params: object): object {
  const { samples } = role ?? {};
  return { ...samples?.[capability], ...renamed(params, offerOf(capability), 'here') };
}

function offerOf(capability: string): OwnOffer | undefined {
  return Object.values(role?.own ?? {}).find(({ spec }) => spec.name === capability);
}

function renamed(params: object, offer: OwnOffer | undefined, to: 'own' | 'here'): object {
  const pairs = Object.entries(offer?.params ?? {});
  const names = new Map(pairs.map(([own, here]) => (to === 'own' ? [here, own] : [own, here])));
  const entries = Object.entries(params).map(([name, value]) => [names.get(name) ?? name, value]);
  return Object.fromEntries(entries) as object;
}
