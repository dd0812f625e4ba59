import type { Random } from '@agent-reach/core/kernel';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { dealt, type PlannedRequest } from './submit-plan.ts';
import { type SubmitNote, TYPES } from './work.ts';

const FULL = { ids: 200, clients: 50, copies: 50, agents: 3 };
const SHORT = { ids: 20, clients: 20, copies: 10, agents: 1 };
/** Of a hundred requests so many give up before their answer can have come. */
const IMPATIENT_PERCENT = 20;
/** Of a hundred so many say something else under a known id. */
const OTHER_PERCENT = 10;

/**
 * Many clients send the same ids again and again, some of them with another body, and many do not
 * wait for the answer. Each id is one task and is done once; the same body gets the same answer,
 * another one 409; a key is each caller's own.
 */
export const duplicates: Experiment = {
  id: 'E5',
  title: 'many clients submit the same ids, with the same and with other bodies',
  rounds: 3,
  round,
};

async function round({ random, isShort, ...world }: Round): Promise<Outcome> {
  const { ids, clients, copies, agents } = isShort ? SHORT : FULL;
  await using lab = await Lab.open(world);
  await lab.labourers(agents, { places: 10 });
  // First the right ones, so that it is known which body is the other one.
  const first = shuffled(
    idsOf(ids).map((id) => ({ body: bodyOf(id) })),
    random,
  );
  await lab.submit({ clients: dealt(first, clients), insist: 'acceptance' });
  const storm = idsOf(ids).flatMap((id) =>
    Array.from({ length: copies }, () => ({
      body: random.below(100) < OTHER_PERCENT ? bodyOf(id, 'other') : bodyOf(id),
      ...(random.below(100) < IMPATIENT_PERCENT ? { impatientMs: 1 + random.below(5) } : {}),
    })),
  );
  const notes = await lab.submit({
    clients: dealt(shuffled(storm, random), clients),
    insist: 'acceptance',
  });
  const keyed = await lab.submit({ clients: [keyedRequests(ids)] });
  await lab.settled();

  const evidence = await lab.evidence();
  const demands = new Demands();
  judgeStorm(notes, demands);
  judgeKeys(keyed, demands);
  const found = [...evidence.kept.keys()].filter((task) => task.startsWith('dup-')).length;
  demands.that(found === ids, `${found} tasks of ${ids} ids are stored`);
  const runs = evidence.runs.filter(({ word }) => word === 'start').length;
  demands.that(runs === evidence.kept.size, `${runs} runs of ${evidence.kept.size} tasks`);
  return {
    evidence,
    faults: demands.faults,
    measured: {
      'answers that were given up by their clients': [
        notes.filter(({ word }) => word === 'unanswered').length,
      ],
    },
  };
}

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `dup-${n}`);

function bodyOf(id: string, note = 'right'): PlannedRequest['body'] {
  return { task_id: id, task_type: TYPES.work, payload: { ms: 5, note }, agent_id: 'caller' };
}

/** Two callers use the same keys, each for a task of his own. */
function keyedRequests(count: number): PlannedRequest[] {
  const request = (caller: string, n: number, id: string) => ({
    body: {
      task_id: id,
      task_type: TYPES.work,
      payload: { ms: 5 },
      agent_id: caller,
      idempotency_key: `key-${n}`,
    },
  });
  return Array.from({ length: Math.ceil(count / 10) }, (_, n) => [
    request('alice', n, `alice-${n}`),
    request('bob', n, `bob-${n}`),
  ]).flat();
}

function judgeStorm(notes: readonly SubmitNote[], demands: Demands): void {
  for (const { task, word, status, replayed, code } of notes) {
    if (word === 'unanswered') continue;
    const isRight = status === 200 ? replayed === true : status === 409 && code === 'task-conflict';
    demands.that(isRight, `was answered ${status} ${code ?? ''}, replayed ${replayed}`, task);
  }
}

function judgeKeys(notes: readonly SubmitNote[], demands: Demands): void {
  for (const { task, status, replayed } of notes) {
    demands.that(status === 200 && replayed === false, `under a key of its own: ${status}`, task);
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
