import { BURST, type HttpFigures, type HttpRound } from './http.ts';
import type { QueueRow } from './long-queue.ts';
import { LATE_MS, type Pace } from './pace.ts';
import { type DiskRound, middle, type StoreRound, waitedOf } from './store.ts';

// The rounds as Markdown. Every figure is the middle of its rounds.

/** The rounds of one contender. */
export interface Results {
  name: string;
  rounds: StoreRound[];
}

/** Moves that follow each other may cost this share of the disk's pace… */
const AIM_ONE = 0.6 / 3;
/** …and fifty at once this many times that. */
const AIM_MANY = 8;

/** What the contenders store and hand out a second, and how long a job waits for its worker. */
export function storeTable(all: readonly Results[], overHttp: readonly HttpRound[]): string[] {
  const head = [
    'jobs a second',
    'add, 1',
    'add, 50 at once',
    'claim + complete, 1',
    'claim + complete, 50',
    'whole life, 1',
    'add → start p50 / p99 ms',
  ];
  const rows = all.map(({ name, rounds }) => [
    name,
    ...(['add', 'addMany', 'work', 'workMany', 'live'] as const).map((what) =>
      whole(middle(rounds, (round) => round[what].perSecond)),
    ),
    waitsOf(rounds, overHttp),
  ]);
  return table(head, rows);
}

/** Of whoever has no workers of his own, as an agent waits over HTTP, if that was measured. */
function waitsOf(rounds: Results['rounds'], overHttp: readonly HttpRound[]): string {
  if (rounds.some(({ waited }) => waited !== undefined)) return waits(rounds);
  return overHttp.length === 0 ? '–' : `${waits(overHttp)} (HTTP)`;
}

/** What a job costs in processor time: of the process that asks, and of the server beside it. */
export function costTable(all: readonly Results[]): string[] {
  const kinds = ['add', 'addMany', 'work', 'workMany', 'live'] as const;
  const head = ['CPU µs a job, own + server', 'add, 1', 'add, 50 at once'];
  head.push('claim + complete, 1', 'claim + complete, 50', 'whole life, 1');
  const rows = all.map(({ name, rounds }) => [
    name,
    ...kinds.map((kind) => {
      const of = (part: 'ownUs' | 'serverUs') => whole(middle(rounds, (one) => one[kind][part]));
      return name === 'Agent-Reach' ? of('ownUs') : `${of('ownUs')} + ${of('serverUs')}`;
    }),
  ]);
  return table(head, rows);
}

/** Whole lives on our store beside the syncs of its disk. */
export function diskTable(rounds: readonly DiskRound[]): string[] {
  const row = (name: string, pick: (round: DiskRound) => Pace) => {
    const of = (part: keyof Pace) => middle(rounds, (round) => pick(round)[part]);
    return [
      name,
      whole(of('perSecond')),
      of('p50Ms').toFixed(2),
      of('p99Ms').toFixed(2),
      whole(of('ownUs')),
    ];
  };
  const share = (pick: (round: DiskRound) => Pace, aim: number) =>
    middle(rounds, (round) => pick(round).perSecond / round.syncs / aim).toFixed(2);
  return [
    ...table(
      ['our store alone', 'a second', 'p50 ms', 'p99 ms', 'CPU µs'],
      [
        ['fdatasync of 16 KiB', whole(middle(rounds, ({ syncs }) => syncs)), '', '', ''],
        row('a life of four moves, one at a time', ({ whole: pace }) => pace),
        row('… of three: receipt with the result', ({ joined }) => joined),
        row('lives of four moves, 50 at once', ({ crowd }) => crowd),
      ],
    ),
    '',
    `Of the aims: one at a time ${share(({ joined }) => joined, AIM_ONE)} × (0.6 × syncs ÷ 3) with three moves, ` +
      `${share(({ whole: pace }) => pace, AIM_ONE)} × with four; 50 at once ` +
      `${share(({ crowd }) => crowd, AIM_ONE * AIM_MANY)} × (8 × that).`,
  ];
}

/** Tasks over HTTP, by how they were submitted; then the burst. */
export function httpTable(rounds: readonly HttpRound[]): string[] {
  const names = Object.keys(rounds[0]?.ways ?? {});
  const head = ['submitted', 'accepted a second', 'p50 ms a message', 'p99 ms', 'ended a second'];
  head.push('CPU µs a task: gateway', 'of it main thread', 'agent', 'submitter');
  const rows = names.map((name) => {
    const of = (part: keyof HttpFigures) => middle(rounds, ({ ways }) => ways[name]?.[part]);
    return [
      name,
      whole(of('acceptedPerSecond')),
      of('p50Ms').toFixed(2),
      of('p99Ms').toFixed(1),
      ...(['endedPerSecond', 'gatewayUs', 'gatewayMainUs', 'workerUs', 'ownUs'] as const).map(
        (part) => whole(of(part)),
      ),
    ];
  });
  const burst = (pick: (burst: HttpRound['burst']) => number) =>
    middle(rounds, (round) => pick(round.burst));
  const late = (pick: (burst: HttpRound['burst']) => HttpRound['burst']['coming']) =>
    `${burst((one) => pick(one).p99Ms).toFixed(1)} ms at p99, ${burst((one) => pick(one).maxMs).toFixed(0)} at most`;
  return [
    ...table(head, rows),
    '',
    `A burst of ${BURST} tasks in ten messages at once was accepted in ` +
      `${seconds(burst((one) => one.acceptedMs))} and had ended after ${seconds(burst((one) => one.endedMs))}. ` +
      `The gateway’s event loop was late by ${late(({ coming }) => coming)} while it came in, ` +
      `and by ${late(({ working }) => working)} while it was worked off.`,
  ];
}

/** What a long queue makes slow. */
export function queueTable(rows: readonly QueueRow[]): string[] {
  const cells = rows.map(({ what, p50Ms, p99Ms }) => [what, p50Ms.toFixed(3), p99Ms.toFixed(3)]);
  return table(['our store with a long queue', 'p50 ms', 'p99 ms'], cells);
}

function waits(rounds: readonly { waited?: number[] }[]): string {
  const at = (share: number) => {
    const ms = waitedOf(rounds, share);
    if (ms === undefined) return '–';
    return ms < LATE_MS ? ms.toFixed(1) : `over ${LATE_MS}`;
  };
  return `${at(0.5)} / ${at(0.99)}`;
}

function whole(figure: number): string {
  return figure.toFixed(0);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)];
}
