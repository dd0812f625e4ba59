import type { Outcome } from './evaluate.ts';
import type { Latency, Spread } from './latency.ts';
import { wilson } from './wilson.ts';

// The outcomes as Markdown. Shares are percent with their 95 % interval.

/** One row a set and count of examples, ours beside the baseline, and the mean over all. */
export function accuracyTable(outcomes: readonly Outcome[]): string[] {
  const head = [
    'set',
    'examples',
    'n (in scope)',
    'top-1',
    'plain',
    'top-3',
    'plain',
    'routed right',
    'plain',
    'misrouted',
    'plain',
    'asked',
    'asked, right one offered',
    'none',
    'out of scope told none',
  ];
  return [
    `| ${head.join(' | ')} |`,
    `| --- ${'| ---: '.repeat(head.length - 1)}|`,
    ...outcomes.map((one) => row(one)),
    ...[0, 5].flatMap((examples) => mean(outcomes.filter((one) => one.examples === examples))),
  ];
}

function row(one: Outcome): string {
  const { plain, inScope, questions } = one;
  const cells = [
    one.set,
    one.examples,
    `${questions} (${inScope})`,
    share(one.top1, inScope),
    bare(plain.top1, inScope),
    share(one.top3, inScope),
    bare(plain.top3, inScope),
    share(one.routedRight, inScope),
    bare(plain.routedRight, inScope),
    share(one.misrouted, questions),
    bare(plain.misrouted, questions),
    bare(one.asked, questions),
    bare(one.askedRight, inScope),
    bare(one.none, questions),
    bare(one.outOfScopeNone, one.outOfScope),
  ];
  return `| ${cells.join(' | ')} |`;
}

function mean(outcomes: readonly Outcome[]): string[] {
  const [first] = outcomes;
  if (first === undefined) return [];
  const of = (part: (one: Outcome) => number, whole: (one: Outcome) => number) => {
    const known = outcomes.filter((one) => whole(one) > 0);
    const sum = known.reduce((total, one) => total + part(one) / whole(one), 0);
    return ((100 * sum) / known.length).toFixed(1);
  };
  const inScope = (one: Outcome) => one.inScope;
  const all = (one: Outcome) => one.questions;
  const cells = [
    `**mean of ${outcomes.length}**`,
    first.examples,
    '',
    of((one) => one.top1, inScope),
    of((one) => one.plain.top1, inScope),
    of((one) => one.top3, inScope),
    of((one) => one.plain.top3, inScope),
    of((one) => one.routedRight, inScope),
    of((one) => one.plain.routedRight, inScope),
    of((one) => one.misrouted, all),
    of((one) => one.plain.misrouted, all),
    of((one) => one.asked, all),
    of((one) => one.askedRight, inScope),
    of((one) => one.none, all),
    of(
      (one) => one.outOfScopeNone,
      (one) => one.outOfScope,
    ),
  ];
  return [`| ${cells.join(' | ')} |`];
}

function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const { low, high } = wilson(part / whole, whole);
  return `${percent(part / whole)} (${percent(low)}–${percent(high)})`;
}

function bare(part: number, whole: number): string {
  return whole === 0 ? '–' : percent(part / whole);
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}

/** How long readings and registrations take, and what an index holds: one row a size. */
export function latencyTable(measured: readonly Latency[]): string[] {
  const head = [
    'capabilities',
    'reading, processor ms',
    'reading, wall ms',
    'by name, processor ms',
    'by name, wall ms',
    'one more, processor ms',
    'one changed, processor ms',
    'indexed in s',
    'heap MB',
    'external MB',
    'resident MB',
  ];
  const rows = measured.map((one) => {
    const cells = [
      one.capabilities,
      spread(one.reading.processor),
      spread(one.reading.wall),
      spread(one.exact.processor),
      spread(one.exact.wall),
      spread(one.registration.processor),
      spread(one.change.processor),
      one.indexSeconds.toFixed(1),
      one.heap.toFixed(0),
      one.external.toFixed(0),
      one.resident.toFixed(0),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [`| ${head.join(' | ')} |`, `|${' ---: |'.repeat(head.length)}`, ...rows];
}

function spread({ p50, p95, p99 }: Spread): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(2)).join(' / ');
}
