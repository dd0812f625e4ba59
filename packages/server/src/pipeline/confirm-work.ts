import type { ConfirmationForm, NeedsConfirmation } from '@agent-reach/core';
import type { Admission } from '../policy/admit.ts';
import type { Demand } from '../policy/confirmations/book.ts';
import { openConfirmation, useConfirmation, waitsFor } from '../policy/confirmations/confirm.ts';
import { bytesOf, type Mask } from '../policy/confirmations/subject.ts';
import { offerOf } from '../routing/presence.ts';
import type { Weighed } from '../routing/decision.ts';
import { withoutSecrets } from '../telemetry/redact.ts';
import { noStandIn, offeredBy, presentedBy, subjectOf, withoutTarget } from './confirm.ts';
import type { AgentPlace, Plan } from './plan.ts';
import type { RoadPorts } from './ports.ts';
import { contractsOf, secretsIn } from './secrets.ts';

type Provider = Weighed['provider'];

/** What is asked for before work may be stored; or how the word that was given is used up for it. */
export type WorkWord =
  | { needs: NeedsConfirmation }
  | { use: () => Promise<{ confirmation: string } | { needs: NeedsConfirmation }> };

/**
 * Whose word work wants before it is stored. Who will do it is not known yet: the strictest of what
 * is demanded for anybody who could is demanded.
 */
export function wordOn(tenant: string, plan: Plan, { policy }: RoadPorts): Demand | undefined {
  const { capability } = plan;
  const nobody = { capability, agentId: undefined, effect: undefined, isSensitive: false };
  const providers = providersOf(plan);
  const offers = providers.length === 0 ? [nobody] : providers.map(offeredBy);
  return strictest(offers.flatMap((one) => policy.confirmations.demandOn(tenant, one) ?? []));
}

/** Asks for the word that work wants before it is stored, unless one came with it. Reserves nothing. */
export async function confirmWork(
  admission: Admission,
  work: { plan: Plan; demand: Demand; isFallback: boolean; taskId: string | undefined },
  ports: RoadPorts,
): Promise<WorkWord> {
  const { plan, demand, isFallback, taskId } = work;
  const { capability } = plan;
  if (isFallback) throw noStandIn({ capability });
  const bytes = bytesOf({
    ...subjectOf(admission, demand),
    kind: 'task',
    capability,
    agent: admission.envelope.agent,
    contract: undefined,
    idempotency_key: admission.key?.key ?? taskId,
  });
  const presented = await presentedBy(admission, ports);
  if (presented !== undefined) {
    const needs = waitsFor(presented, bytes.digest);
    if (needs !== undefined) return { needs };
    const use = async () => {
      const waits = await useConfirmation(presented, bytes.digest, ports.policy);
      return waits === undefined ? { confirmation: presented.id } : { needs: waits };
    };
    return { use };
  }
  const { tenant } = admission;
  const holders = { tenant, names: [capability], seen: contractsOf(plan) };
  const mask: Mask = (params) => withoutSecrets(params, secretsIn(holders, 'input', ports));
  const about = {
    asking: admission,
    bytes,
    demand: { ...demand, by: withoutTarget(demand.by) },
    mask,
  };
  const opening = { id: ports.ids.next('cfm'), prepared: undefined };
  return { needs: await openConfirmation(opening, about, ports.policy) };
}

function providersOf({ weighed }: Plan): Provider[] {
  return weighed.filter(({ out }) => out === undefined).map(({ provider }) => provider);
}

/** The more people it takes, the stricter. */
const STRICTNESS: readonly ConfirmationForm[] = ['caller', 'target', 'human'];

function strictest(demands: readonly Demand[]): Demand | undefined {
  return demands.toSorted((a, b) => STRICTNESS.indexOf(b.by) - STRICTNESS.indexOf(a.by))[0];
}

/**
 * Whether a word is wanted for work at an agent as things stand now. Its submission may have needed
 * none: nobody offered it yet, or a rule or a manifest was changed since.
 */
export function needsWord(at: AgentPlace & { capability: string }, ports: RoadPorts): boolean {
  const offer = offerOf(at, ports.routing);
  if (offer === undefined) return false; // Whoever sends it will find out.
  return ports.policy.confirmations.demandOn(at.tenant, offeredBy(offer)) !== undefined;
}
