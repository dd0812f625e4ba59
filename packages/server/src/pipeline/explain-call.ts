import {
  type Asker,
  type ExplainAnswer,
  type ExplainRequest,
  type ExplainStep,
  ReachError,
} from '@agent-reach/core';
import type { Admission } from '../policy/admit.ts';
import { checkBinding, checkConfirmation, spendingOf, type Target } from '../policy/bind.ts';
import type { Demand } from '../policy/confirmations/book.ts';
import { lookAtBudgets } from '../policy/budgets/look.ts';
import type { Ruling } from '../policy/grants.ts';
import type { Standing } from '../policy/permit.ts';
import { toldOf } from '../resilience/circuits.ts';
import { decide, decisionError } from '../routing/decide.ts';
import type { Decision, Routed } from '../routing/decision.ts';
import { explain } from '../routing/explain.ts';
import type { RoadPorts } from './ports.ts';
import { admitHere, demandStillPermitted } from './road.ts';
import { boundSelectorOf, sensed } from './selector.ts';
import { targetOf } from './walk.ts';

/** What is known of those in whose name a call could be made. */
export interface ExplainPorts {
  road: RoadPorts;
  /** A client as the door would let it in; undefined: there is none of this name. */
  standing: (tenant: string, clientId: string) => Standing | undefined;
  /** Which grant decides; undefined: nobody is asked who he is. */
  rulingOn: (tenant: string, clientId: string, capability: string) => Ruling | undefined;
}

/** A walk under way: which step it is at, and how those before it went. */
class Walk {
  at: ExplainStep['step'] = 'request';
  outcome: ExplainAnswer['outcome'] = 'call';
  decision: Decision | undefined;
  readonly steps: ExplainStep[] = [];

  pass(detail: string, rule?: string): void {
    const by = rule === undefined ? {} : { rule };
    this.steps.push({ step: this.at, verdict: 'passed', detail, ...by });
  }

  /** It ends here. */
  stop(
    outcome: ExplainAnswer['outcome'],
    detail: string,
    more: Pick<ExplainStep, 'rule' | 'code'> = {},
  ): void {
    this.outcome = outcome;
    this.steps.push({ step: this.at, verdict: 'stopped', detail, ...more });
  }
}

/**
 * The road of a call as it would be walked now, up to where it would end. Changes nothing: no key is
 * claimed, no budget reserved, no confirmation opened, no trace written, nobody asked.
 */
export async function explainCall(
  { as, ...request }: ExplainRequest,
  asker: Asker,
  ports: ExplainPorts,
): Promise<ExplainAnswer> {
  const standing = standingIn(as, asker, ports);
  const walk = new Walk();
  try {
    await lookAlong(walk, request, { ...asker, ...standing }, ports);
  } catch (thrown) {
    const { code, message } = ReachError.from(thrown);
    // What this gateway cannot do is no verdict on the call.
    if (code === 'internal' || code === 'store-unavailable') throw thrown;
    walk.stop('refuse', message, { code });
  }
  return answerOf(walk, standing, ports.road);
}

/** In whose name is looked. Throws where the asker may not, or where there is no such client. */
function standingIn(as: string | undefined, asker: Asker, ports: ExplainPorts): Standing {
  const { tenant, principal, client } = asker;
  if (as === undefined || as === principal) {
    return { tenant, principal, ...(client === undefined ? {} : { client }) };
  }
  if (client?.onlyOwn === true) {
    const detail = `${principal} may look for itself alone; for another this needs the role operator.`;
    throw new ReachError('permission-denied', detail);
  }
  const standing = ports.standing(tenant, as);
  if (standing !== undefined) return standing;
  throw new ReachError('validation-failed', `No client is called ${as}.`, {
    errors: [{ pointer: '#/as', detail: `names no client, is ${as}` }],
  });
}

async function lookAlong(
  walk: Walk,
  request: Omit<ExplainRequest, 'as'>,
  asker: Asker,
  ports: ExplainPorts,
): Promise<void> {
  const { road } = ports;
  const admission = await admitHere(request, asker, road);
  const { tenant, principal } = admission;
  walk.pass(`${principal} of tenant ${tenant} asks.`);
  if (isAnswered(walk, admission)) return;
  const decision = await route(walk, admission, ports);
  if (decision === undefined) return;
  const target = targetOf({ admission, fallback: undefined }, decision, road);
  walk.at = 'binding';
  const deadline = checkBinding(admission, target, road.policy);
  walk.pass(`It has ${Math.floor(deadline.remainingMs())} ms.`);
  if (!(await hasBudget(walk, admission, target, road))) return;
  if (needsWord(walk, admission, target, road)) return;
  lookAtPlace(walk, decision, road);
}

/** Whether its key has an answer already. */
function isAnswered(walk: Walk, admission: Admission): boolean {
  const { key, kept, pinned } = admission;
  walk.at = 'key';
  if (key === undefined) {
    walk.pass('It has none.');
    return false;
  }
  if (kept === undefined) {
    const bound = pinned === undefined ? 'is new' : `is bound to ${pinned.capability}`;
    walk.pass(`${key.key} ${bound}.`);
    return false;
  }
  demandStillPermitted(admission);
  walk.stop('replay', `${key.key} has an answer, which is given again; nothing is sent.`);
  return true;
}

/** Who it would go to, and by which grant; undefined: to nobody. */
async function route(
  walk: Walk,
  admission: Admission,
  ports: ExplainPorts,
): Promise<Routed | undefined> {
  const { road } = ports;
  const selector = await sensed(boundSelectorOf(admission), road);
  const { tenant, permits, principal } = admission;
  const grant = (capability: string) => {
    walk.at = 'grant';
    const ruling = ports.rulingOn(tenant, principal, capability);
    if (ruling === undefined) walk.pass('Nobody is asked who he is.', 'auth.mode');
    else if (ruling.isAllowed) walk.pass(`${capability} is granted.`, ruleOf(ruling));
    else walk.stop('refuse', deniedText(capability, ruling), deniedBy(ruling));
    return ruling?.isAllowed !== false;
  };
  // By name it is known before anybody is looked at.
  const { capability } = selector;
  if (capability !== undefined && !grant(capability)) return undefined;
  walk.at = 'route';
  const limits = { permits, tried: new Set<string>() };
  const decision = decide(selector, limits, road.routing);
  walk.decision = decision;
  if (decision.outcome === 'ask') {
    walk.stop('ask', decisionError(decision).message, { code: 'ambiguous-match' });
    return undefined;
  }
  if (decision.outcome === 'none') throw decisionError(decision);
  const { instance, provider, strategy } = decision;
  const { agentId, instanceId } = instance.row;
  walk.pass(`${agentId} (${instanceId}) is chosen for ${provider.capability.name}, ${strategy}.`);
  const isNamed = provider.capability.name === capability;
  return isNamed || grant(provider.capability.name) ? decision : undefined;
}

function ruleOf({ row, pattern }: Ruling): string {
  return row === undefined ? 'grants' : `grants, row ${row}: ${pattern}`;
}

function deniedText(capability: string, { row }: Ruling): string {
  return row === undefined
    ? `No grant lets this client have ${capability}.`
    : `${capability} is denied, whatever else grants it.`;
}

function deniedBy(ruling: Ruling) {
  return { code: 'permission-denied', rule: ruleOf(ruling) } as const;
}

async function hasBudget(
  walk: Walk,
  admission: Admission,
  target: Target,
  { policy }: RoadPorts,
): Promise<boolean> {
  walk.at = 'budgets';
  const { tenant } = admission;
  const looks = await lookAtBudgets(tenant, spendingOf(admission, target), policy);
  const spent = looks.find(({ refuses }) => refuses !== undefined);
  if (spent?.refuses !== undefined) {
    walk.stop('refuse', spent.detail, { code: spent.refuses, rule: `budget/${spent.id}` });
    return false;
  }
  const detail = looks.map((look) => look.detail).join(' ');
  walk.pass(looks.length === 0 ? 'No budget counts it.' : detail);
  return true;
}

function needsWord(
  walk: Walk,
  admission: Admission,
  target: Target,
  { policy }: RoadPorts,
): boolean {
  walk.at = 'confirmation';
  const demand = checkConfirmation(admission, target, policy);
  if (demand === undefined) {
    walk.pass('Nobody has to say yes.');
    return false;
  }
  const rule = target.isSensitive ? 'confirmations, or its manifest' : 'confirmations';
  walk.stop('confirm', `${whoSays(demand)} has to say yes first.`, { rule });
  return true;
}

/** Whose word it is. */
function whoSays({ by, approvers }: Demand): string {
  switch (by) {
    case 'human':
      return approvers === undefined ? 'An operator' : `One of ${approvers.join(', ')}`;
    case 'caller':
      return 'Who asks';
    case 'target':
      return 'The agent, by a code that it gives,';
  }
}

/** Whether it could be sent at once: an open circuit refuses, a full place makes it wait. */
function lookAtPlace(walk: Walk, { instance, provider }: Routed, { board }: RoadPorts): void {
  walk.at = 'place';
  const { key } = instance;
  const circuit = board.circuits.of({ endpoint: key, capability: provider.capability.name });
  if (circuit !== undefined && circuit.blockedMs > 0) {
    walk.stop('refuse', `${toldOf(circuit)}.`, { code: 'circuit-open' });
    return;
  }
  const { inflight, waiting } = board.of(key);
  walk.pass(`${inflight} are at work there, ${waiting} wait for a place.`);
}

function answerOf(walk: Walk, { tenant, principal, client }: Standing, road: RoadPorts) {
  const { outcome, steps, decision } = walk;
  const answer: ExplainAnswer = {
    outcome,
    who: { tenant, principal, acts_for: client?.actsAs ?? principal },
    steps,
    candidates: decision === undefined ? [] : explain(decision, road.routing),
  };
  if (decision?.outcome !== 'route') return answer;
  const { name: capability, effect } = decision.provider.capability;
  const { agentId: agent, instanceId: instance } = decision.instance.row;
  const about = { capability, agent, instance, ...(effect === undefined ? {} : { effect }) };
  return { ...answer, ...about };
}
