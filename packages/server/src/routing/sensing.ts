import type { Selector } from './decision.ts';
import type { RoutingPorts } from './ports.ts';

/**
 * The selector with what an embedder makes of its intent, where that may count. What a name, or an
 * intent that is one, decides is returned as it is: it waits for nothing.
 */
export function sensing(selector: Selector, ports: RoutingPorts): Selector | Promise<Selector> {
  const { embedding } = ports;
  const { intent } = selector;
  if (embedding === undefined || intent === undefined || !isRead(selector, ports)) return selector;
  if (ports.meanings.of(selector.tenant).named(intent) !== undefined) return selector;
  return embedding.sense(intent).then((sense) => ({ ...selector, sense }));
}

/** Whether the intent is looked at at all: a name that exists decides. */
function isRead({ tenant, capability }: Selector, { directory, options }: RoutingPorts): boolean {
  if (options.semanticMode === 'off') return false;
  return capability === undefined || directory.offers(tenant, capability).length === 0;
}
