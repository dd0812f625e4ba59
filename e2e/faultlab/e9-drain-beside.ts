import { pause, within } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';
import type { Demands } from './experiment.ts';
import type { Lab } from './lab.ts';
import { monotonicUs } from './notes.ts';
import { dealt, requests } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

const TASKS = 80;
const CALLS = 20;
const PACE_MS = 30;

/**
 * One of two gateways is asked to stop under load. Whoever asks the other notices nothing; whoever
 * moves on when it is refused loses nothing; a call that is under way is answered.
 */
export async function drainBeside(
  lab: Lab,
  demands: Demands,
  note: (name: string, value: number) => void,
): Promise<void> {
  const [stays, goes] = [lab.gatewayAt(0), lab.gatewayAt(1)];
  await lab.labourers(2, { places: 8 });
  const beside = submitted(lab, 'beside', { at: 0 });
  const spread = submitted(lab, 'spread', {});
  const calls = callAll(stays);
  const underWay = goes.call({ capability: TYPES.work, params: { ms: 1_200 } }).then(
    ({ status }) => status,
    () => 0,
  );
  // Calls of both gateways, by then.
  await lab.noted(3, ({ word, task }) => word === 'start' && task.startsWith('call_'));
  await lab.noted(4, ({ word, task }) => word === 'start' && task.startsWith('spread-'));

  const askedAt = monotonicUs();
  const exit = await goes.stop();
  note('one of two gateways with work under way is gone after, ms', since(askedAt));
  demands.that(exit.code === 0, `the gateway exited with ${exit.signal ?? exit.code}`);
  const call = await underWay;
  demands.that(call === 200, `the call under way was answered ${call}`);
  for (const status of await calls) {
    demands.that(status === 200, `a call at the other gateway was answered ${status}`);
  }
  for (const { task, status, code } of await beside) {
    demands.that(status === 200, `the other gateway answered ${status} ${code}`, task);
  }
  const refused = (await spread).filter(({ status }) => status !== 200);
  note('answers of the stopping one with which a caller moved on', refused.length);
  for (const { task, status, code } of refused) {
    const isRight = status === 0 || status === 503;
    demands.that(isRight, `the stopping gateway answered ${status} ${code}`, task);
  }
  await lab.settled();
  await askTwice(lab, goes, { demands, note });
}

/** With a call under way: a gateway without work is gone before it can be asked again. */
async function askTwice(
  lab: Lab,
  gateway: Gateway,
  { demands, note }: { demands: Demands; note: (name: string, value: number) => void },
): Promise<void> {
  await gateway.restart();
  const call = gateway.call({ capability: TYPES.work, params: { ms: 3_000 } }).catch(() => {});
  await lab.noted(CALLS + 2, ({ word, task }) => word === 'start' && task.startsWith('call_'));
  const from = monotonicUs();
  gateway.signal('SIGTERM');
  await pause(100);
  gateway.signal('SIGTERM');
  const { signal } = await within('the exit', gateway.exited);
  await call;
  note('one of two that is asked twice is gone after, ms', since(from));
  demands.that(signal === null, `asked twice, the gateway ended by ${signal}`);
}

function submitted(lab: Lab, prefix: string, where: { at?: number }): Promise<SubmitNote[]> {
  const wanted = requests(prefix, TASKS, () => ({
    task_type: TYPES.work,
    payload: { ms: 200 },
  }));
  const insist = where.at === undefined ? ({ insist: 'acceptance' } as const) : {};
  return lab.submit({ ...insist, paceMs: PACE_MS, clients: dealt(wanted, 4) }, where);
}

async function callAll(gateway: Gateway): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const params = { ms: 100 };
    const reply = await gateway
      .call({ capability: TYPES.work, params })
      .catch(() => ({ status: 0 }));
    statuses.push(reply.status);
  }
  return statuses;
}

function since(fromUs: number): number {
  return (monotonicUs() - fromUs) / 1_000;
}
