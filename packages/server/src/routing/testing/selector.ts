import assert from 'node:assert/strict';
import type { Decision, Selector } from '../decision.ts';

/** What is asked for where a test does not care: `look_up`, of anybody. */
export function selector(over: Partial<Selector> = {}): Selector {
  return {
    tenant: 'internal',
    capability: 'look_up',
    intent: undefined,
    tags: {},
    strictTags: false,
    agent: undefined,
    version: undefined,
    params: {},
    sourceId: undefined,
    draw: 'one',
    ...over,
  };
}

/** Everybody is permitted, and nobody was tried. */
export const anybody = { permits: () => true, tried: new Set<string>() };

/** The instance that was chosen. */
export function chosen(decision: Decision): string {
  assert.equal(decision.outcome, 'route');
  return decision.outcome === 'route' ? decision.instance.row.instanceId : '';
}
