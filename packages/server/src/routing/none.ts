import { type ErrorFacts, type Issue, type MeaningReason, ReachError } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Directory, Instance } from '../registry/directory.ts';
import { whyNotRoutable } from '../registry/routable.ts';
import { lastSeenOf } from '../registry/view.ts';
import type { Decision, Selector, Weighed } from './decision.ts';
import type { Reading } from './meaning/interpret.ts';
import type { Muster } from './panic.ts';
import { whyWeightless, type WeightPorts } from './weight.ts';

type None = Extract<Decision, { outcome: 'none' }>;

function none(
  code: None['code'],
  detail: string,
  facts: ErrorFacts,
  weighed: readonly Weighed[],
): None {
  return { outcome: 'none', code, detail, facts, weighed, warnings: [] };
}

/** What may be meant by a name that nobody offers. */
export interface Alike {
  /** It is an alias of theirs, or they are called nearly so. */
  by: 'alias' | 'spelling';
  names: readonly string[];
}

export const NOTHING_ALIKE: Alike = { by: 'spelling', names: [] };

function alikeText({ by, names }: Alike): string {
  if (names.length === 0) return '';
  const alias = by === 'alias' ? `It is an alias of ${names.join(' and of ')}. ` : '';
  return ` ${alias}Did you mean ${names.join(' or ')}?`;
}

/** Nothing that is registered matches what is asked for. */
export function noMatch(
  selector: Selector,
  directory: Directory,
  weighed: readonly Weighed[] = [],
  alike: Alike = NOTHING_ALIKE,
): None {
  const { capability, agent } = selector;
  if (agent !== undefined && directory.agent(selector.tenant, agent) === undefined) {
    return none('agent-not-found', `No agent is called ${agent}.`, { agent }, weighed);
  }
  if (capability === undefined) {
    const detail =
      selector.intent === undefined
        ? taglessText(weighed)
        : 'Meaning is not matched here (routing.semantic.mode is off): name the capability, or ask by tags.';
    return none('capability-not-found', detail, {}, weighed);
  }
  // By name alone: what has these tags and is not for the asker is nobody's business.
  if (weighed.some(({ out }) => out === NOT_PERMITTED)) {
    return none('permission-denied', notPermittedText(capability), { capability }, weighed);
  }
  const reasons = weighed.map((w) => `${w.provider.agent.definition.agentId}: ${w.out}`);
  const detail =
    reasons.length === 0
      ? `Nobody offers ${capability}.${alikeText(alike)}`
      : `Nobody offers ${capability} as asked for (${reasons.slice(0, 5).join('; ')}).`;
  const { names } = alike;
  const facts = names.length === 0 ? { capability } : { capability, did_you_mean: [...names] };
  return none('capability-not-found', detail, facts, weighed);
}

/** What has the tags and is not found by them may be told: the asker may have it. */
function taglessText(weighed: readonly Weighed[]): string {
  const those = weighed.flatMap(({ provider, notByTags }) => {
    const said = notByTags?.restraint?.said;
    return said === undefined ? [] : [`${provider.capability.name} ${said}`];
  });
  const told = [...new Set(those)].slice(0, 3).join('; ');
  return told === ''
    ? 'No capability has these tags.'
    : `No capability is found by these tags alone: ${told}.`;
}

/** Nothing that the asker may have is what the intent means, as far as anybody can say. */
export function notMeant(
  { capability, agent }: Selector,
  found: { reading: Reading; weighed: readonly Weighed[]; warnings: string[] },
): None {
  const { reading, weighed, warnings } = found;
  const named =
    capability === undefined ? '' : `Nobody offers ${capability}, and the intent does not tell: `;
  const facts = {
    ...(capability === undefined ? {} : { capability }),
    ...(agent === undefined ? {} : { agent }),
    reason: reading.reason,
  };
  const detail = `${named}${NOT_MEANT[reading.reason] ?? NOT_MEANT.LOW_CONFIDENCE}`;
  const { namedOnly: name, restraint } = reading;
  const lead = reading.reason === 'NAMED_ONLY' ? 'It is' : 'Nearest is';
  const namedOnly = name === undefined ? '' : ` ${lead} ${name}, which ${restraint?.said}.`;
  const ended = none('capability-not-found', `${detail}${namedOnly}`, facts, weighed);
  return { ...ended, warnings, reading };
}

const NOT_MEANT: Partial<Record<MeaningReason, string>> & Record<'LOW_CONFIDENCE', string> = {
  NO_WORDS: 'Nothing in the intent can be matched: it has no words.',
  NO_CANDIDATE: 'No capability that this caller may have shares a word with the intent.',
  LOW_COVERAGE: 'No capability that this caller may have answers what the intent asks for.',
  LOW_CONFIDENCE: 'No capability that this caller may have is near enough to the intent.',
  NAMED_ONLY:
    'What fits the intent best is not found by its meaning, and must be called by its name.',
};

/** Why an offer is out that the asker may not have: no lack of reachability, but a refusal. */
export const NOT_PERMITTED = 'not permitted';

/** The refusal of what no grant allows. */
export function notPermitted(capability: string): ReachError {
  return new ReachError('permission-denied', notPermittedText(capability), { capability });
}

function notPermittedText(capability: string): string {
  return `No grant lets this caller have ${capability}: an operator may add one to the policy \`grants\`.`;
}

/** Somebody offers it, but nobody takes these parameters. */
export function nobodyFits(weighed: readonly Weighed[], faults: readonly Issue[]): None {
  const errors = faults.map(({ pointer, detail }) => ({
    pointer: `#/params${pointer.slice(1)}`,
    detail,
  }));
  const first = errors[0];
  return none(
    'validation-failed',
    `The parameters do not fit: ${first?.pointer} ${first?.detail}.`,
    { errors },
    weighed,
  );
}

/** Somebody offers it and the parameters fit, but nobody can be reached now. */
export function nobodyReachable(
  selector: Selector,
  weighed: readonly Weighed[],
  fitting: readonly Weighed[],
  ports: Pick<WeightPorts, 'weights'>,
): None {
  const reasons: string[] = [];
  const all: Instance[] = [];
  for (const { provider } of fitting) {
    const { agent, capability } = provider;
    const instances = [...agent.instances.values()];
    all.push(...instances);
    const { agentId } = agent.definition;
    if (instances.length === 0) reasons.push(`${agentId} has no instance`);
    for (const instance of instances) {
      const weightless = whyWeightless({ agent, capability, instance }, ports);
      const why = clause(whyNotRoutable(instance) ?? weightless ?? whyNotTaken(instance));
      reasons.push(`${agentId} (${instance.row.instanceId}): ${why}, ${seen(instance)}`);
    }
  }
  const lastSeen = lastSeenOf(all);
  const only = fitting.length === 1 ? fitting[0]?.provider.agent.definition.agentId : undefined;
  return none(
    'no-reachable-agent',
    `Nobody who offers ${selector.capability ?? 'this'} can be reached now: ${reasons.slice(0, 5).join('; ')}.`,
    {
      ...(selector.capability === undefined ? {} : { capability: selector.capability }),
      ...(only === undefined ? {} : { agent: only }),
      ...(lastSeen === undefined ? {} : { last_seen: iso(lastSeen) }),
      retry_after_ms: 1_000,
    },
    weighed,
  );
}

/** Some can be reached, and too few of them to give them a write that must not be sent twice. */
export function tooFewReachable(
  selector: Selector,
  weighed: readonly Weighed[],
  { there, all }: Muster,
): None {
  const { capability } = selector;
  const what = capability ?? 'this';
  return none(
    'no-reachable-agent',
    `Only ${there} of ${all} instances that offer ${what} can be reached, and a write is not given to so few: see routing.panic.`,
    { ...(capability === undefined ? {} : { capability }), retry_after_ms: 1_000 },
    weighed,
  );
}

function whyNotTaken({ row }: Instance): string {
  return row.mode === 'pull'
    ? 'it pulls its work, so nothing goes to it direct, or its tags do not match'
    : 'its tags do not match';
}

/** A sentence as part of another one. */
export function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

function seen(instance: Instance): string {
  return `last seen ${iso(instance.seenAt)}`;
}
