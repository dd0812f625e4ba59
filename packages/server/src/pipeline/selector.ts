import type { Admission } from '../policy/admit.ts';
import type { Selector } from '../routing/decision.ts';
import { insteadOf } from '../routing/fallbacks.ts';
import { sensing } from '../routing/sensing.ts';
import type { Order } from './order.ts';
import type { RoadPorts } from './ports.ts';

/** What routing is asked, from what was admitted. */
export function selectorOf({ tenant, envelope, trace, principal }: Admission): Selector {
  // Calls of one trace see one version: they are parts of one piece of work.
  const draw = envelope.sourceId ?? trace.traceId;
  const { strategy, prefer: weights, sourceId: key = principal } = envelope;
  const prefer = weights === undefined ? undefined : { weights, key };
  return { ...asked(envelope), strategy, prefer, tenant, params: envelope.params, draw };
}

/** The same, held to what its key was bound to: what was read once is a name from then on. */
export function boundSelectorOf(admission: Admission): Selector {
  const asked = selectorOf(admission);
  const { pinned } = admission;
  if (pinned === undefined) return asked;
  if (pinned.asked !== undefined) return insteadOf(asked, pinned.capability);
  return { ...asked, ...named(pinned.capability) };
}

/** What makes a selector one by name. */
export function named(capability: string) {
  return { capability, intent: undefined, strategy: undefined };
}

/** With what an embedder makes of the intent, where no name decides. */
export function sensed(selector: Selector, { routing }: RoadPorts): Selector | Promise<Selector> {
  return sensing(selector, routing);
}

/** As `selectorOf`, from work that is stored. */
export function selectorOfOrder(tenant: string, order: Order, params: unknown): Selector {
  // Read when it was submitted: what was bound then is not read anew.
  const { intent: _, ...bound } = asked(order);
  const draw = drawOf(order.sourceId, order.requestId);
  return { ...bound, intent: undefined, tenant, params, draw };
}

/** What the version of work that may wait is drawn by: at its submission and whenever it moves. */
export function drawOf(sourceId: string | undefined, requestId: string): string {
  return sourceId ?? requestId;
}

/** A request and stored work say in the same words where they may go. */
function asked(said: Admission['envelope'] | Order) {
  const { capability, intent, tags, strictTags, agent, version, sourceId } = said;
  return { capability, intent, tags, strictTags, agent, version, sourceId };
}
