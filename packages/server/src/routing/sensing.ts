import type { Selector } from './decision.ts';
import type { Sense } from './meaning/sense.ts';
import type { RoutingPorts } from './ports.ts';

/**
 * The selector with what an embedder makes of its intent, where that may count. What a name, or an
 * intent that is one, decides is returned as it is: it waits for nothing.
 */
export function sensing(selector: Selector, ports: RoutingPorts): Selector | Promise<Selector> {
  const { tenant, intent } = selector;
  if (intent === undefined || !isRead(selector, ports)) return selector;
  const sensed = senseOf({ tenant, intent }, ports);
  return sensed === undefined ? selector : sensed.then((sense) => ({ ...selector, sense }));
}

/** What an embedder makes of an intent that is read; undefined: there is none, or the intent is a name. */
export function senseOf(
  { tenant, intent }: { tenant: string; intent: string },
  { embedding, meanings }: RoutingPorts,
): Promise<Sense> | undefined {
  if (embedding === undefined || meanings.of(tenant).named(intent) !== undefined) return undefined;
  return embedding.sense(intent);
}

/** Whether the intent is read at all: a name that exists decides, and so does a phrase that is pinned. */
function isRead(selector: Selector, { directory, options, pins }: RoutingPorts): boolean {
  const { tenant, capability, intent = '', strategy = 'auto' } = selector;
  if (options.semanticMode === 'off' || strategy === 'exact' || strategy === 'tags') return false;
  if (pins.ofPhrase(tenant, intent) !== undefined) return false;
  if (strategy === 'semantic' || capability === undefined) return true;
  return directory.offers(tenant, capability).length === 0;
}
