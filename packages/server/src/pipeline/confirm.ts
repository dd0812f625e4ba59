import { createHash } from 'node:crypto';
import {
  type Capability,
  canonicalize,
  type NeedsConfirmation,
  ReachError,
} from '@agent-reach/core';
import type { Deadline } from '@agent-reach/core/kernel';
import type { Admission } from '../policy/admit.ts';
import { checkConfirmation, type Target } from '../policy/bind.ts';
import type { Demand, OfferedFacts } from '../policy/confirmations/book.ts';
import {
  openConfirmation,
  type Presented,
  presentedIn,
  useConfirmation,
  waitsFor,
} from '../policy/confirmations/confirm.ts';
import { bytesOf, type Mask, type SubjectBytes } from '../policy/confirmations/subject.ts';
import type { Routed } from '../routing/decision.ts';
import { secretPlacesOf } from '../schemas/secret-places.ts';
import { withoutSecrets } from '../telemetry/redact.ts';
import type { RoadPorts } from './ports.ts';
import { prepareAt } from './prepare.ts';
import type { Run } from './run.ts';

// Design. A word is asked for when everything else would pass, and right before the first reservation.
// One that was given is used up right after the last: a budget that refuses, or a key whose answer is
// kept, must not cost a person's yes. What was confirmed names its agent: the repeat goes there, to
// what was shown, and to nobody else.

/** The confirmation that a request presents; undefined: none. Looks and changes nothing. */
export async function presentedBy(
  admission: Admission,
  ports: RoadPorts,
): Promise<Presented | undefined> {
  const { confirmationCode } = admission.envelope;
  return confirmationCode === undefined
    ? undefined
    : presentedIn(confirmationCode, admission, ports.policy);
}

/** What is asked for before anything may be done; or how the word that was given is used up for it. */
export type Word =
  | { needs: NeedsConfirmation }
  | {
      /** Answers what to wait for where nobody has decided after all. */
      use: () => Promise<NeedsConfirmation | undefined>;
    };

/** Whether what is to be bound wants somebody's word; undefined: nobody's. Reserves nothing. */
export function askForWord(
  run: Run,
  { decision, target }: { decision: Routed; target: Target },
  deadline: Deadline,
  ports: RoadPorts,
): Promise<Word> | undefined {
  run.confirmed = undefined;
  const demand = checkConfirmation(run.admission, target, ports.policy);
  return demand && wordFor(run, { decision, target, demand }, deadline, ports);
}

async function wordFor(
  run: Run,
  { decision, target, demand }: { decision: Routed; target: Target; demand: Demand },
  deadline: Deadline,
  ports: RoadPorts,
): Promise<Word> {
  const { admission, presented } = run;
  if (run.fallback !== undefined) throw noStandIn(target);
  const { capability } = decision.provider;
  const bytes = bytesOfCall(admission, decision, demand);
  if (presented !== undefined) {
    const needs = waitsFor(presented, bytes.digest);
    if (needs !== undefined) return { needs };
    const use = async () => {
      const waits = await useConfirmation(presented, bytes.digest, ports.policy);
      if (waits === undefined) run.confirmed = { id: presented.id, digest: bytes.digest };
      return waits;
    };
    return { use };
  }
  const id = ports.ids.next('cfm');
  const mask: Mask = (params) => withoutSecrets(params, secretPlacesOf(capability.input));
  const by = canPrepare(decision) ? demand.by : withoutTarget(demand.by);
  const prepared =
    by === 'target' ? await prepareAt(run, { decision, id }, deadline, ports) : undefined;
  const about = { asking: admission, bytes, demand: { ...demand, by }, mask };
  return { needs: await openConfirmation({ id, prepared }, about, ports.policy) };
}

/**
 * Whether the word that was given covers a repeat at this target, or none is wanted there. It does as long
 * as all of it is what was confirmed: the agent, what it declares, and the rules.
 */
export function isCovered(
  { admission, confirmed }: Run,
  { decision, target }: { decision: Routed; target: Target },
  ports: RoadPorts,
): boolean {
  const demand = checkConfirmation(admission, target, ports.policy);
  if (demand === undefined) return true;
  if (confirmed === undefined) return false;
  return bytesOfCall(admission, decision, demand).digest === confirmed.digest;
}

/** All that somebody says yes to who confirms a call. */
function bytesOfCall(
  admission: Admission,
  { provider: { agent, capability } }: Routed,
  demand: Demand,
): SubjectBytes {
  return bytesOf({
    ...subjectOf(admission, demand),
    kind: 'call',
    capability: capability.name,
    agent: agent.definition.agentId,
    contract: contractOf(capability),
    idempotency_key: admission.key?.key,
  });
}

/** What of an offer decides whether it is confirmed. */
export function offeredBy({ agent, capability }: Routed['provider']): OfferedFacts {
  const { name, effect, sensitive: isSensitive } = capability;
  return { capability: name, agentId: agent.definition.agentId, effect, isSensitive };
}

/** What every subject says, whatever is confirmed. */
export function subjectOf({ tenant, principal, envelope }: Admission, demand: Demand) {
  return {
    tenant,
    principal,
    params: envelope.params,
    on_behalf_of: envelope.onBehalfOf,
    policy_version: demand.policyVersion,
  };
}

/** Who pulls has no door to knock at: a person is asked instead, which is no less. */
export function withoutTarget(by: Demand['by']): Demand['by'] {
  return by === 'target' ? 'human' : by;
}

function canPrepare({ instance }: Routed): boolean {
  return instance.row.mode !== 'pull';
}

function contractOf(capability: Capability): string {
  return createHash('sha256').update(canonicalize(capability)).digest('base64url');
}

/** A fallback that needs a word is none: whoever asked has not seen what he would say yes to. */
export function noStandIn({ capability }: Pick<Target, 'capability'>): ReachError {
  const detail = `${capability} needs a confirmation, and is never reached as a fallback.`;
  return new ReachError('confirmation-invalid', detail, { capability, executed: 'no' });
}
