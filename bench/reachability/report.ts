import type { BeatCount, Incident } from './beats.ts';
import type { DecisionCost } from './decide.ts';
import type { Detection } from './detect.ts';
import type { Loopback } from './loopback.ts';
import type { Overload } from './overload.ts';
import type { RestartPushes } from './restart.ts';

// The figures as Markdown, each beside what it is held to.

/** All that was measured; what was not asked for is absent. */
export interface Findings {
  decide?: DecisionCost;
  beats?: BeatCount;
  incident?: Incident;
  restart?: RestartPushes;
  detect?: Detection;
  overload?: Overload;
  loopback?: Loopback;
}

/** What the figures are of, and what they are not. */
export const NOTES = `Simulated rows: a real gateway without its door, with a clock moved by hand, agents that answer within 5 ms and
keep to the pauses they are told; counts differ by less than one in a hundred from run to run. Rows of *loopback*: a gateway in a process of its own over
HTTP, agents and load generator in another; times hold what the machine does besides. Not measured: a network between the parts, several
gateways, agents in processes of their own.`;

type Row = [what: string, figure: string, aim: string, isMet: boolean | undefined];

/** One row a figure. */
export function findingsTable(found: Findings): string[] {
  const rows = [
    ...decideRows(found.decide),
    ...beatRows(found.beats, found.incident),
    ...changeRows(found),
    ...loopbackRows(found.loopback),
  ];
  return [
    '| | figure | aim | |',
    '| --- | ---: | ---: | --- |',
    ...rows.map(([what, figure, aim, isMet]) => {
      const verdict = isMet === undefined ? '' : isMet ? 'met' : '**missed**';
      return `| ${what} | ${figure} | ${aim} | ${verdict} |`;
    }),
  ];
}

function decideRows(cost: DecisionCost | undefined): Row[] {
  if (cost === undefined) return [];
  const { cpuUs, p50Us, p99Us, rareCpuUs, explainedUs } = cost;
  return [
    ['route decision, 10 of 100 agents: CPU µs', us(cpuUs), '≤ 40', cpuUs <= 40],
    [
      '… rarely asked, so that all scores are made anew: CPU µs',
      us(rareCpuUs),
      '≤ 40',
      rareCpuUs <= 40,
    ],
    ['… p50 / p99 µs', `${us(p50Us)} / ${us(p99Us)}`, 'p99 < 1,000', p99Us < 1_000],
    ['… with an explanation, µs', us(explainedUs), '', undefined],
  ];
}

function beatRows(count: BeatCount | undefined, incident: Incident | undefined): Row[] {
  const rows: Row[] = [];
  if (count !== undefined) {
    const { minutes, steady, mixed, fixed } = count;
    const less = (beats: number) => 1 - beats / fixed;
    const of = (beats: number) => `${whole(beats)} of ${whole(fixed)} (−${percent(less(beats))})`;
    rows.push(
      [
        `heartbeats of 100 steady agents in ${minutes} min, of every 5 s`,
        of(steady),
        '−36 %',
        less(steady) >= 0.36,
      ],
      ['… one in five of them losing every third probe', of(mixed), '', undefined],
    );
  }
  if (incident !== undefined) {
    const { budget, before, worst } = incident;
    rows.push(
      [
        'heartbeats a second of 2,000 steady agents',
        whole(before),
        `≤ ${budget}`,
        before <= budget,
      ],
      [
        '… of 2,000 in trouble at once, worst 10 s',
        `${whole(worst)} (${(worst / budget).toFixed(2)} × budget)`,
        '≤ 1.3 ×',
        worst <= 1.3 * budget,
      ],
    );
  }
  return rows;
}

function changeRows({ restart, detect, overload }: Findings): Row[] {
  const rows: Row[] = [];
  if (restart !== undefined) {
    const { agents, readers, sent, naive } = restart;
    const less = 1 - sent / naive;
    const figure = `${whole(sent)} of ${whole(naive)} (−${percent(less)})`;
    rows.push([
      `pushes while ${agents} restart in 2 s, ${readers} readers`,
      figure,
      '−85 %',
      less >= 0.85,
    ]);
  }
  if (detect !== undefined) {
    const { afterFirst, killed, blackHole } = detect;
    const spread = ({ middle, worst }: Detection['killed']) =>
      `${(middle / 1_000).toFixed(2)} / ${(worst / 1_000).toFixed(2)}`;
    rows.push(
      [
        'out after its first refused probe, s, median / worst',
        spread(afterFirst),
        '< 1',
        afterFirst.worst < 1_000,
      ],
      ['… after an idle one was killed', spread(killed), '≤ 6.5', killed.worst <= 6_500],
      [
        '… after nothing came back any more (fenced, while it beats)',
        spread(blackHole),
        '≤ 19',
        blackHole.worst <= 19_000,
      ],
    );
  }
  if (overload !== undefined) {
    const { argMax, chosen } = overload;
    rows.push(
      [
        'calls lost at 5 nearly full instances, best score of 5 s ago',
        percent(argMax),
        'over half',
        argMax > 0.5,
      ],
      ['… through the gateway', percent(chosen), '< 1 %', chosen < 0.01],
    );
  }
  return rows;
}

function loopbackRows(found: Loopback | undefined): Row[] {
  if (found === undefined) return [];
  const { agents, lost, listCpuMs, listP50Ms, listP99Ms, availableP99Ms, routeP99Ms } = found;
  const well = agents - lost;
  return [
    [
      `loopback: list of ${agents} agents, ${lost} black-holed: p50 / p99 ms`,
      `${ms(listP50Ms)} / ${ms(listP99Ms)}`,
      'p99 < 50',
      listP99Ms < 50,
    ],
    ['… CPU ms of the gateway', ms(listCpuMs), '', undefined],
    ['… of those that can be had: p99 ms', ms(availableP99Ms), '', undefined],
    ['… route decision over HTTP: p99 ms', ms(routeP99Ms), '', undefined],
    [`… until all ${lost} were out, s`, ms(found.settledS), '', undefined],
    [`… seen as up then`, String(found.up), String(well), found.up === well],
    [
      '… a further one killed: out after s',
      found.missedS.toFixed(2),
      '≤ 6.5',
      found.missedS <= 6.5,
    ],
  ];
}

function us(value: number): string {
  return value.toFixed(0);
}

function ms(value: number): string {
  return value.toFixed(1);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
