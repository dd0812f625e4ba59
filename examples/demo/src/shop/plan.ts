import type { CapabilitySpec } from '@agent-reach/sdk';
import { effectOf } from './effect.ts';
import type { Folder, Row } from './rows.ts';
import { sampleOf } from './sample.ts';

// Who offers what a folder describes. What the demo's own agents do they go on doing, in the words of
// the folder; the rest goes to desks, one for each beginning of an id: `invoice.issue` and
// `invoice.query` to the invoice desk.

/** What one of the demo's own agents offers in the words of a folder. */
export interface OwnOffer {
  spec: CapabilitySpec;
  /** The demo's names of parameters, and what the folder calls them. */
  params: Readonly<Record<string, string>>;
}

/** All that the processes of a run must know. */
export interface Plan {
  /** By the name that the demo has for it. */
  own: Readonly<Record<string, OwnOffer>>;
  desks: Readonly<Record<string, readonly CapabilitySpec[]>>;
  /** What can be filled in of what a capability demands, by its name. */
  samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the demo's own agents do, by the ids that folders of a shop have for it. */
const OWN: Readonly<Record<string, { own: string; params?: OwnOffer['params'] }>> = {
  'order.query_status': { own: 'query_order_status' },
  'logistics.track_parcel': { own: 'track_shipment', params: { waybill_no: 'tracking_no' } },
  'inventory.query_stock': { own: 'check_stock' },
  'refund.apply': { own: 'refund_order', params: { yuan: 'amount' } },
};

/** Among those who have it the customer service looks. */
export const COUNTER = 'counter';
/** An agent may offer no more. */
const OFFERS_MAX = 50;
/** Each is a process. */
const DESKS_MAX = 24;

/** Who offers what, with so many examples each. Throws a `TypeError` where that are too many. */
export function planOf(folder: Folder, examples: number): Plan {
  const specOf = (row: Row) => specIn(row, folder.examples.get(row.id)?.slice(0, examples) ?? []);
  const own = folder.rows.flatMap((row) => {
    const known = OWN[row.id];
    if (known === undefined) return [];
    return [[known.own, { spec: specOf(row), params: known.params ?? {} }] as const];
  });
  const others = folder.rows.filter(({ id }) => OWN[id] === undefined);
  const desks = [...Map.groupBy(others, ({ id }) => deskOf(id))].flatMap(([name, rows]) =>
    parts(rows).map((part, i) => [i === 0 ? name : `${name}-${i + 1}`, part.map(specOf)] as const),
  );
  if (desks.length > DESKS_MAX) {
    throw new TypeError(
      `The ids of capabilities.jsonl begin in ${desks.length} ways; the demo has at most ${DESKS_MAX} desks.`,
    );
  }
  const samples = folder.rows.map(({ name, input_schema: schema = {} }) => {
    return [name, sampleOf(schema)] as const;
  });
  return {
    own: Object.fromEntries(own),
    desks: Object.fromEntries(desks),
    samples: Object.fromEntries(samples),
  };
}

/** Those that nobody gets by meaning, by name. */
export function sensitiveOf(folder: Folder): ReadonlySet<string> {
  const rows = folder.rows.filter((row) => effectOf(row).sensitive);
  return new Set(rows.map(({ name }) => name));
}

function specIn(row: Row, examples: readonly string[]): CapabilitySpec {
  const { name, display_name: displayName, description, description_en: english } = row;
  const { boundary, boundary_en: englishBoundary, tags = [], input_schema: input } = row;
  return {
    name,
    displayName,
    description: english === undefined ? description : `${description} ${english}`,
    notFor: [boundary, englishBoundary].filter((text) => text !== undefined),
    examples,
    input,
    tags: [...tags.filter((tag) => tag !== COUNTER), COUNTER],
    ...effectOf(row),
  };
}

/** `invoice.issue` is the invoice desk's; what has no beginning is everybody's. */
function deskOf(id: string): string {
  const [beginning = '', rest] = id.toLowerCase().split('.', 2);
  const slug = beginning.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  return rest === undefined || slug === '' ? 'desk' : `${slug}-desk`;
}

function parts(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / OFFERS_MAX);
  return Array.from({ length: count }, (_, i) => rows.slice(i * OFFERS_MAX, (i + 1) * OFFERS_MAX));
}
