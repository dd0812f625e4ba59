import {
  type Asker,
  type HandlersOf,
  type Input,
  type Output,
  ReachError,
  type RouteAnswer,
  type RouteRequest,
} from '@agent-reach/core';
import type { Admission } from '../policy/admit.ts';
import { spendingOf } from '../policy/bind.ts';
import { signCallToken } from '../policy/call-token.ts';
import { balanceOf } from '../routing/balance-view.ts';
import { calibrate } from '../routing/calibrate.ts';
import { decide } from '../routing/decide.ts';
import type { Decision } from '../routing/decision.ts';
import { evaluate } from '../routing/evaluate.ts';
import { decisionTtlMs } from '../routing/decision-ttl.ts';
import { explain } from '../routing/explain.ts';
import { explainFallbacks } from '../routing/fallbacks.ts';
import { docOf } from '../routing/fit-book.ts';
import { factsOf, keysOf, schemaFit } from '../routing/meaning/schema-fit.ts';
import { meaningView, optionView, questionText } from '../routing/meant.ts';
import { pinView } from '../routing/pin-book.ts';
import { type PolicyDocPorts, putPolicy } from '../routing/policies.ts';
import { sensing } from '../routing/sensing.ts';
import { choose, noteQuestion } from './choose.ts';
import { explainCall, type ExplainPorts } from './explain-call.ts';
import { offeredBy } from './confirm.ts';
import type { RoadPorts } from './ports.ts';
import { report, Reports } from './report.ts';
import { admitHere } from './road.ts';
import { selectorOf } from './selector.ts';
import { tellDecision } from './watch.ts';

/** A route decision is the road that stops after route: traffic goes direct. */
export function routeHandlers(
  ports: RoadPorts,
  documents: PolicyDocPorts,
  known: Omit<ExplainPorts, 'road'>,
): Omit<HandlersOf<'routes'>, 'routes.export'> {
  const reports = new Reports();
  return {
    'routes.decide': (input, asker) => decideOnly(input, asker, ports),
    'routes.explain': (input, asker) => explainCall(input, asker, { ...known, road: ports }),
    'routes.choose': (input, asker) => choose(input, asker, ports, documents),
    'routes.report': (input, asker) => report(input, asker, ports, reports),
    'routes.evaluate': (input, asker) => evaluateAll(input, asker, ports),
    'routes.calibrate': (input, asker) => calibrateHere(input, asker, ports, documents),
    'routes.watch': (input, { tenant, signal }) => ports.watch.watch(tenant, input, signal),
    'routes.balance': ({ capability }, { tenant }) => {
      return balanceOf({ tenant, capability }, ports.routing);
    },
  };
}

async function evaluateAll(
  { utterances, budget }: Input<'routes.evaluate'>,
  { tenant, signal }: Asker,
  { routing }: RoadPorts,
): Promise<Output<'routes.evaluate'>> {
  const evaluation = await evaluate({ tenant, utterances, budget }, routing, signal);
  if (evaluation !== undefined) return evaluation;
  throw new ReachError('cancelled', 'Whoever asked has left.');
}

async function calibrateHere(
  { utterances, budget, apply = false }: Input<'routes.calibrate'>,
  asker: Asker,
  { routing }: RoadPorts,
  documents: PolicyDocPorts,
): Promise<Output<'routes.calibrate'>> {
  const { tenant, signal } = asker;
  const calibrated = await calibrate({ tenant, utterances, budget }, routing, signal);
  if (calibrated === undefined) throw new ReachError('cancelled', 'Whoever asked has left.');
  const { fit, told } = calibrated;
  if (!apply) return told;
  if (fit === undefined) {
    const none = 'Nothing was applied: no utterance says anything of a probability.';
    return { ...told, warnings: [none, ...told.warnings] };
  }
  const written = await putPolicy({ policy: 'calibration', doc: docOf(fit) }, asker, documents);
  return { ...told, version: written.version, warnings: [...written.warnings, ...told.warnings] };
}

async function decideOnly(
  request: RouteRequest,
  asker: Asker,
  ports: RoadPorts,
): Promise<RouteAnswer> {
  const admission = await admitHere(request, asker, ports);
  const { tenant, permits } = admission;
  const limits = { permits, tried: new Set<string>(), addressed: true, paramsLater: true };
  const selector = await sensing(selectorOf(admission), ports.routing);
  const decision = decide(selector, limits, ports.routing);
  const routeId = ports.ids.next('rte');
  noteQuestion({ routeId, tenant, intent: selector.intent }, decision, ports);
  tellDecision({ by: 'route', admission, routeId, decision }, ports);
  const answer: RouteAnswer = {
    outcome: decision.outcome,
    route_id: routeId,
    trace_id: admission.trace.traceId,
    ...(keptBack(decision, admission, ports) ?? toward(decision, admission, ports)),
    warnings: decision.warnings,
  };
  // Whoever got no target needs to know why, even if he did not ask.
  if (request.explain === true || answer.outcome !== 'route') {
    answer.candidates = explain(decision, ports.routing);
    const { reading, pin } = decision;
    if (pin !== undefined) answer.pin = pinView(pin);
    if (reading !== undefined) {
      answer.meaning = meaningView(reading, ports.routing.meanings.of(tenant).isFull);
    }
    const { fallback: requested } = admission.envelope;
    const fallbacks = explainFallbacks(selector, { requested, decision, permits }, ports.routing);
    if (fallbacks.length > 0) answer.fallbacks = fallbacks;
    const budgets = budgetsOf(decision, admission, ports);
    if (budgets.length > 0) answer.budgets = budgets;
  }
  return answer;
}

/** In which budgets a call of what was decided would be counted. */
function budgetsOf(decision: Decision, admission: Admission, { policy }: RoadPorts): string[] {
  if (decision.outcome !== 'route') return [];
  const { name: capability, effect } = decision.provider.capability;
  const spending = spendingOf(admission, { capability, effect });
  return policy.budgets.matching(admission.tenant, spending).map(({ id }) => id);
}

/**
 * What needs somebody's word is done through the gateway alone: whoever is told an address could do
 * without. Undefined: nobody's word is needed.
 */
function keptBack(
  decision: Decision,
  admission: Admission,
  ports: RoadPorts,
): Partial<RouteAnswer> | undefined {
  if (decision.outcome !== 'route') return undefined;
  const offered = offeredBy(decision.provider);
  if (ports.policy.confirmations.demandOn(admission.tenant, offered) === undefined) {
    return undefined;
  }
  const { capability: name, effect } = offered;
  return {
    outcome: 'none',
    capability: name,
    ...(effect === undefined ? {} : { effect }),
    reason: `${name} needs a confirmation, so it is called through the gateway.`,
  };
}

function toward(decision: Decision, admission: Admission, ports: RoadPorts): Partial<RouteAnswer> {
  switch (decision.outcome) {
    case 'none': {
      const { capability } = decision.facts;
      const told = { reason: decision.detail, code: decision.code };
      if (capability === undefined) return told;
      return { ...told, capability, ...missingIn(decision, capability, admission) };
    }
    case 'ask': {
      const { options } = decision;
      const asked = options.length === 0 ? {} : { options: options.map(optionView) };
      return { reason: questionText(decision), ...asked };
    }
    case 'route': {
      const { provider, instance } = decision;
      const { name: capability, effect } = provider.capability;
      const address = instance.row.baseUrl ?? '';
      const ttlMs = decisionTtlMs(decision, ports.routing);
      return {
        strategy: decision.strategy,
        score: decision.score,
        ...(decision.isPanic ? { panic: true } : {}),
        capability,
        ...missingIn(decision, capability, admission),
        ...(effect === undefined ? {} : { effect }),
        target_agent: instance.row.agentId,
        instance_id: instance.row.instanceId,
        address,
        // Host and port without scheme, as seed C's callers use it.
        target_address: address.replace(/^https?:\/\//, ''),
        protocol: 'http',
        path: `/abilities/${encodeURIComponent(capability)}`,
        addr_version: instance.addrVersion,
        manifest_version: provider.agent.definition.manifestVersion,
        ttl_ms: ttlMs,
        call_token: signCallToken(
          {
            tenant: admission.tenant,
            traceId: admission.trace.traceId,
            spanId: admission.trace.spanId,
            root: admission.root,
            path: [...admission.path, `${instance.row.agentId}/${capability}`],
          },
          ports.clock.now() + ttlMs,
          ports.policy.tokenKey,
        ),
      };
    }
  }
}

/** What a capability that was found by an intent still needs to be called. */
function missingIn(
  { reading, pin, weighed }: Decision,
  name: string,
  { envelope }: Admission,
): Pick<RouteAnswer, 'missing'> {
  const offer = weighed.find(({ provider }) => provider.capability.name === name);
  const isByIntent = reading !== undefined || pin?.phrase !== undefined;
  if (!isByIntent || offer === undefined) return {};
  const { input } = offer.provider.capability;
  const { missing } = schemaFit(keysOf(envelope.params), factsOf(input));
  return missing.length === 0 ? {} : { missing: [...missing] };
}
