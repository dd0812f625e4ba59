import { pause, within } from '../kit/bounds.ts';
import type { Exit } from '../kit/program.ts';
import { drainBeside } from './e9-drain-beside.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab, type Labourer } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

const CLEAN: Exit = { code: 0, signal: null };
/** A second signal means what it says only after this; see the SDK's README. */
const SECOND_MS = 700;

/**
 * Everybody is asked to stop, in every situation: agents that are idle, busy, stuck in long work or
 * asked twice, and the gateway with work, questions and a call under way. Nothing is lost, nothing
 * unbegun burns an attempt, and what runs ends where it runs if it can.
 */
export const drain: Experiment = {
  id: 'E9',
  title: 'agents and the gateway are asked to stop, once and twice, idle and busy',
  rounds: 2,
  round,
};

async function round(world: Round): Promise<Outcome> {
  await using lab = await Lab.open(world);
  const demands = new Demands();
  const measured: Outcome['measured'] = {};
  const note = (name: string, value: number) => (measured[name] ??= []).push(value);
  await drainAgents(lab, demands, note);
  if (world.gateways === 1) await drainGateway(lab, demands, note);
  else await drainBeside(lab, demands, note);
  await lab.settled();
  const evidence = await lab.evidence();
  for (const [task, { attempts }] of evidence.kept) {
    if (task.startsWith('call_')) continue;
    const cut = task.startsWith('twice-') ? 2 : 1;
    demands.that(attempts === cut, `${attempts} attempts, ${cut} expected`, task);
  }
  return { evidence, faults: demands.faults, measured };
}

type Measure = (name: string, value: number) => void;

async function drainAgents(lab: Lab, demands: Demands, note: Measure): Promise<void> {
  const idle = await lab.labourer();
  const idleEnd = await stop(idle);
  demands.that(isClean(idleEnd.exit), `an idle agent exited with ${told(idleEnd.exit)}`);
  note('an idle agent is gone after, ms', idleEnd.ms);

  const busy = await lab.labourer({ places: 2, prefetch: 2, drain: 10_000 });
  await submit(lab, 'busy', 4, 1_500);
  await lab.noted(2, ({ word, pid }) => word === 'start' && pid === busy.ready['pid']);
  const askedAt = Date.now();
  const [busyEnd, other] = await Promise.all([stop(busy), lab.labourer({ places: 4 })]);
  demands.that(isClean(busyEnd.exit), `a busy agent exited with ${told(busyEnd.exit)}`);
  await lab.settled();
  for (const { at } of await releases(lab, 'busy', 4))
    note('unbegun work is back after, ms', at - askedAt);
  demands.that(ranBy(lab, busy) === 2, `a busy agent began ${ranBy(lab, busy)} tasks, not 2`);
  await stop(other);

  const long = await lab.labourer({ places: 1, drain: 500 });
  await submit(lab, 'long', 1, 2_000);
  await lab.noted(1, ({ word, task }) => word === 'start' && task === 'long-0');
  const longEnd = await stop(long);
  demands.that(isClean(longEnd.exit), `an agent with long work exited with ${told(longEnd.exit)}`);
  note('an agent with long work (drain 500 ms) is gone after, ms', longEnd.ms);

  const twice = await lab.labourer({ places: 1 });
  await lab.noted(2, ({ word, task }) => word === 'start' && task === 'long-0');
  await lab.settled();
  await submit(lab, 'twice', 1, 3_000);
  await lab.noted(1, ({ word, task }) => word === 'start' && task === 'twice-0');
  const twiceEnd = await stopTwice(twice);
  demands.that(
    twiceEnd.exit.code === 143,
    `asked twice, an agent exited with ${told(twiceEnd.exit)}`,
  );
}

async function drainGateway(lab: Lab, demands: Demands, note: Measure): Promise<void> {
  const { gateway } = lab;
  await lab.labourers(2, { places: 4 });
  await lab.noted(2, ({ word, task }) => word === 'start' && task === 'twice-0');
  const submitted = submit(lab, 'through', 60, 300);
  await lab.noted(8, ({ word, task }) => word === 'start' && task.startsWith('through-'));
  const askedAt = monotonicUs();
  const exit = await gateway.stop();
  note('a gateway with work under way is gone after, ms', since(askedAt));
  demands.that(isClean(exit), `the gateway exited with ${told(exit)}`);
  await gateway.restart();
  await submitted;

  const once = await callUnderWay(lab, 0);
  const onceAt = monotonicUs();
  const onceExit = await gateway.stop();
  note('a gateway with a call to a pulling agent under way is gone after, ms', since(onceAt));
  demands.that(
    isClean(onceExit),
    `with a call under way the gateway exited with ${told(onceExit)}`,
  );
  const answer = await once.reply;
  demands.that(
    answer?.status === 200,
    `the call under way was answered ${answer?.status ?? 'nothing'}`,
  );
  await gateway.restart();

  await callUnderWay(lab, 1);
  const twiceAt = monotonicUs();
  gateway.signal('SIGTERM');
  await pause(100);
  gateway.signal('SIGTERM');
  const second = await within('the exit', gateway.exited);
  note('a gateway that is asked twice is gone after, ms', since(twiceAt));
  demands.that(second.signal === null, `asked twice, the gateway ended by ${told(second)}`);
  await gateway.restart();
}

/** A call to an agent that pulls: its answer must come through the door that is being closed. */
async function callUnderWay(lab: Lab, before: number) {
  const params = { ms: 1_200 };
  const reply = lab.gateway.call({ capability: TYPES.work, params }).catch(() => undefined);
  await lab.noted(before + 1, ({ word, task }) => word === 'start' && task.startsWith('call_'));
  return { reply };
}

function since(fromUs: number): number {
  return (monotonicUs() - fromUs) / 1_000;
}

function submit(lab: Lab, prefix: string, count: number, ms: number) {
  const wanted = requests(prefix, count, () => ({ task_type: TYPES.work, payload: { ms } }));
  return lab.submit({ clients: [wanted], insist: 'acceptance' });
}

/** When tasks came back unburnt, by the store's own book. */
async function releases(lab: Lab, prefix: string, count: number): Promise<{ at: number }[]> {
  const { tasks } = lab.gateway.reach;
  const all = Array.from({ length: count }, (_, n) => tasks.history(`${prefix}-${n}`));
  const moves = (await Promise.all(all)).flat();
  return moves
    .filter(({ cause }) => cause === 'released')
    .map(({ at }) => ({ at: Date.parse(at) }));
}

function ranBy(lab: Lab, { ready }: Labourer): number {
  return lab.runs().filter(({ word, pid }) => word === 'start' && pid === ready['pid']).length;
}

async function stop({ program }: Labourer): Promise<{ exit: Exit; ms: number }> {
  const from = monotonicUs();
  const exit = await program.end('SIGTERM');
  return { exit, ms: since(from) };
}

async function stopTwice(agent: Labourer): Promise<{ exit: Exit; ms: number }> {
  agent.program.signal('SIGTERM');
  await pause(SECOND_MS);
  return stop(agent);
}

function isClean({ code, signal }: Exit): boolean {
  return code === CLEAN.code && signal === CLEAN.signal;
}

function told({ code, signal }: Exit): string {
  return signal ?? String(code);
}
