import { list } from '@agent-reach/core/kernel';

/** Settings of routing. */
export const ROUTING_OPTIONS = {
  relax: list({
    key: 'routing.relax',
    default: ['region'],
    doc: 'Tags that may be given up, in this order, when nobody has them all; the answer warns of each. `capability` is never given up. Empty: never relax. Relaxing answers more requests from further away.',
  }),
} as const;
