import { parseArgs } from 'node:util';
import { invariant } from '@agent-reach/core/kernel';
import { casesNamed } from './call/cases.ts';
import { openField } from './call/field.ts';
import type { Frame, Profile } from './call/role.ts';
import { measure } from './call/round.ts';
import { keepResults } from './results.ts';

/**
 * Where a server spends its JavaScript thread: `node bench/profile.ts [--case=plain] [--seconds=6]
 * [--warm-up=4] [--top=25] [--write]`. Own time by place and by function, as shares of the processor time that a call costs
 * that thread; being watched makes it about a fifth dearer.
 */
const { values: options } = parseArgs({
  options: {
    case: { type: 'string', default: 'plain' },
    seconds: { type: 'string', default: '6' },
    'warm-up': { type: 'string', default: '4' },
    top: { type: 'string', default: '25' },
    write: { type: 'boolean', default: false },
  },
});

const report = await run();
console.log(report);
if (options.write) {
  keepResults('profile', 'npm run bench -- profile --write', `\n\n\`\`\`\n${report}\n\`\`\``);
}

async function run(): Promise<string> {
  const specs = casesNamed([options.case]).filter(({ name }) => name === options.case);
  await using field = await openField(specs);
  const [one] = field.cases;
  invariant(one !== undefined, 'a case that is named is opened');
  const call = (seconds: number) => measure(field, one, { connections: 32, seconds });
  await call(Number(options['warm-up']));
  const { result, profile } = await one.server.profile(() => call(Number(options.seconds)));
  const { calls, cpuUs, mainUs } = result;
  const self = selfTimes(profile);
  return [
    `${calls} calls of case ${one.name}: ${cpuUs.toFixed(0)} µs CPU each, ${mainUs.toFixed(0)} µs of it on this thread`,
    ...lines('by place', sum(self, placeOf), mainUs),
    ...lines('by function', sum(self, functionOf), mainUs),
  ].join('\n');
}

/** Microseconds in which a frame was the innermost one. */
function selfTimes({ nodes, samples, timeDeltas }: Profile): Map<Frame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const self = new Map<Frame, number>();
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    self.set(frame, (self.get(frame) ?? 0) + (timeDeltas[i] ?? 0));
  }
  return self;
}

function sum(self: Map<Frame, number>, nameOf: (frame: Frame) => string): [string, number][] {
  const sums = new Map<string, number>();
  for (const [frame, us] of self) {
    const name = nameOf(frame);
    sums.set(name, (sums.get(name) ?? 0) + us);
  }
  return [...sums].toSorted((a, b) => b[1] - a[1]);
}

/** A room of ours, a package of others, Node's own JavaScript, or what is no JavaScript. */
function placeOf({ url, functionName }: Frame): string {
  const room = /packages\/(\w+)\/src\/(\w+(?:\/(?:sqlite|http)(?=\/))?)/.exec(url);
  if (room !== null) return `${room[1]}/${room[2]}`;
  const foreign = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (foreign !== null) return foreign[1] ?? '';
  if (url.startsWith('node:')) return `node: ${url.split('/').slice(0, 2).join('/').slice(5)}`;
  // The largest of them are system calls: a write to a socket does the kernel's whole work for it.
  return functionName.startsWith('(') ? functionName : 'native functions';
}

function functionOf({ functionName, url, lineNumber }: Frame): string {
  const file = url.replace(/^.*\/(?=packages\/|node_modules\/)/, '');
  return `${functionName || '(anonymous)'}  ${file}:${lineNumber + 1}`;
}

function lines(title: string, sums: [string, number][], mainUs: number): string[] {
  const total = sums.reduce((all, [, us]) => all + us, 0);
  const shown = sums.slice(0, Number(options.top)).map(([name, us]) => {
    const share = us / total;
    const cells = [(share * mainUs).toFixed(2).padStart(6), (share * 100).toFixed(1).padStart(5)];
    return `  ${cells.join(' ')} %  ${name}`;
  });
  return ['', `${title}: µs a call, and share`, ...shown];
}
