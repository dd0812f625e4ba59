import {
  type Asker,
  type ExamplesPolicy,
  type Input,
  type Output,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { survey } from '../routing/decide.ts';
import type { Decision, Selector } from '../routing/decision.ts';
import { learn, masked } from '../routing/meaning/learn.ts';
import { notPermitted } from '../routing/none.ts';
import { amend, type PolicyDocPorts } from '../routing/policies.ts';
import type { Asked } from '../routing/questions.ts';
import { sensing } from '../routing/sensing.ts';
import type { RoadPorts } from './ports.ts';

type Choice = Input<'routes.choose'>;
type Chosen = Output<'routes.choose'>;

/** Keeps a question that an intent ended in, so that its answer can be understood. */
export function noteQuestion(
  at: { routeId: string; tenant: string; intent: string | undefined },
  decision: Decision,
  { routing, clock }: RoadPorts,
): void {
  if (decision.outcome !== 'ask' || at.intent === undefined || decision.options.length === 0)
    return;
  const { tenant, intent } = at;
  const options = decision.capabilities;
  routing.questions.note(at.routeId, { tenant, intent, options, at: clock.now() });
}

/** Takes the answer to a question, and learns from it what may be learned. */
export async function choose(
  choice: Choice,
  asker: Asker,
  ports: RoadPorts,
  documents: PolicyDocPorts,
): Promise<Chosen> {
  const { route_id: routeId, capability } = choice;
  demandOne(choice);
  const asked = await questionOf(choice, asker, ports);
  if (capability !== undefined) demandOffered(capability, asked, asker, ports);
  const why = whyNotLearned(asker, ports);
  if (why !== undefined) return { ...about(routeId, capability), learned: 'not', detail: why };
  const lesson = {
    text: asked.intent,
    capability,
    options: asked.options,
    by: asker.principal,
    at: iso(ports.clock.now()),
  };
  let refused: string | undefined;
  await amend<ExamplesPolicy>(
    'examples',
    (doc) => {
      const learned = learn(doc, lesson);
      const why = 'why' in learned ? learned.why : 'known';
      refused = why === 'known' ? undefined : WHY_NOT[why];
      return 'why' in learned ? undefined : learned.doc;
    },
    asker,
    documents,
  );
  if (refused !== undefined) {
    return { ...about(routeId, capability), learned: 'not', detail: refused };
  }
  return { ...about(routeId, capability), ...standingOf(asked, capability, asker, ports) };
}

function about(routeId: string, capability: string | undefined) {
  return { route_id: routeId, ...(capability === undefined ? {} : { capability }) };
}

function demandOne({ capability, none }: Choice): void {
  if ((capability === undefined) === (none === true)) return;
  throw validationFailed('The choice', [
    { pointer: '#/capability', detail: 'must be given, or `none: true`, and not both' },
  ]);
}

/** The question as it was asked here; else what would be asked for its intent now. */
async function questionOf(
  { route_id: routeId, intent }: Choice,
  asker: Asker,
  ports: RoadPorts,
): Promise<Asked> {
  const { tenant } = asker;
  const now = ports.clock.now();
  const known = ports.routing.questions.find(routeId, tenant, now);
  if (known !== undefined) return known;
  if (intent === undefined) {
    throw new ReachError(
      'not-found',
      `Nothing was asked back under ${routeId} here within the last hour: give the intent as well.`,
    );
  }
  const permits = ports.policy.permitsFor(tenant, asker.principal);
  const limits = { permits, tried: new Set<string>(), paramsLater: true };
  const selector = await sensing(meaning(tenant, intent), ports.routing);
  const found = survey(selector, limits, ports.routing);
  return {
    tenant,
    intent,
    options: found.reading?.options.map((o) => o.capability) ?? [],
    at: now,
  };
}

function meaning(tenant: string, intent: string): Selector {
  return {
    tenant,
    capability: undefined,
    intent,
    tags: {},
    strictTags: false,
    agent: undefined,
    version: undefined,
    params: {},
    sourceId: undefined,
    draw: intent,
  };
}

/** Only what was offered can be right, and only what its chooser may have. */
function demandOffered(capability: string, asked: Asked, asker: Asker, ports: RoadPorts): void {
  const { tenant } = asker;
  const offers = ports.routing.directory.offers(tenant, capability);
  if (offers.length === 0) {
    throw new ReachError('capability-not-found', `Nobody offers ${capability} any more.`, {
      capability,
    });
  }
  if (!asked.options.includes(capability)) {
    const options = asked.options.join(', ') || 'nothing';
    throw validationFailed('The choice', [
      { pointer: '#/capability', detail: `was not offered; ${options} was` },
    ]);
  }
  const permits = ports.policy.permitsFor(tenant, asker.principal);
  if (!permits({ capability })) throw notPermitted(capability);
}

function whyNotLearned({ principal }: Asker, { routing }: RoadPorts): string | undefined {
  if (!routing.options.semanticLearn) return 'Nothing is learned here (routing.semantic.learn).';
  return principal === 'anonymous'
    ? 'Nothing is learned from whoever does not say his name.'
    : undefined;
}

const WHY_NOT = {
  full: 'There is no room for more examples: an operator may take some out of the policy `examples`.',
  empty: 'Nothing is left of the intent without its numbers and addresses.',
} as const;

/** Whether what was learned counts already. */
function standingOf(
  { intent, options, tenant }: Asked,
  capability: string | undefined,
  asker: Asker,
  { routing }: RoadPorts,
): Pick<Chosen, 'learned' | 'detail'> {
  const text = masked(intent);
  const counts =
    capability === undefined
      ? options.every((name) => routing.learned.refusedFor(tenant, text).has(name))
      : routing.learned.examplesOf(asker.tenant, capability).includes(text);
  return counts
    ? { learned: 'counts', detail: 'It counts from the next decision on.' }
    : { learned: 'waits', detail: 'It counts once a second caller answers alike.' };
}
