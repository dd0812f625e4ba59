import type { CapabilitySpec } from '@agent-reach/sdk';
import type { Row } from './rows.ts';

// A folder does not say what running a capability does to the world, and that decides how surely it
// must be meant. Its verb does; what no verb tells is taken for a write, which costs a question.

/** They look, or write a text of what they are given; nothing is different afterwards. */
const READS = words('query track search read list get find show check monitor generate');
/** Once or twice comes to the same. */
const SETS = words('set update modify cancel');
const WRITES = words('issue create apply adjust send add remove delete open close pay move write');
/** Money or goods are moved: these are had by their name alone. */
const MOVES = words('refund pay payment payout charge withdraw transfer adjust');

/** What is declared of a capability's effect. */
export type Declared = Required<Pick<CapabilitySpec, 'effect' | 'sensitive'>> &
  Pick<CapabilitySpec, 'idempotency'>;

/** What a capability does to the world. */
export function effectOf({ id, name, tags = [] }: Row): Declared {
  const said = words(`${id} ${name} ${tags.join(' ')}`.replaceAll(/[._-]/g, ' ').toLowerCase());
  const does = (verbs: ReadonlySet<string>) => !said.isDisjointFrom(verbs);
  if (does(READS) && !does(SETS) && !does(WRITES)) return { effect: 'read', sensitive: false };
  const sensitive = does(MOVES);
  if (does(SETS) && !sensitive) {
    return { effect: 'idempotent_write', idempotency: 'natural', sensitive };
  }
  return { effect: 'write', idempotency: 'gateway', sensitive };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
