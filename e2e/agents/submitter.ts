/**
 * A caller in a process of its own, on plain HTTP. It sends what its plan says and notes every
 * answer in its own book before it takes the next request.
 *
 *     submitter.ts --plan file --book file
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { NoteBook } from '../faultlab/notes.ts';
import type { PlannedRequest, SubmitPlan } from '../faultlab/submit-plan.ts';
import type { SubmitNote } from '../faultlab/work.ts';
import { flag, say } from './stage.ts';

const plan = JSON.parse(readFileSync(flag('plan') ?? '', 'utf8')) as SubmitPlan;
// Nobody kills it, and a burst is no burst if each answer waits for a disk.
const book = new NoteBook<SubmitNote>(flag('book') ?? '', { isSynced: false });

const AGAIN_MS = 50;
const ANSWER_MS = 10_000;

type Told = Omit<SubmitNote, 'at' | 'pid' | 'tookMs'>;

async function send(url: string, body: PlannedRequest['body'], limitMs: number): Promise<Told> {
  const task = body.task_id;
  try {
    const response = await fetch(`${url}/v1/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limitMs),
    });
    const answer = (await response.json()) as {
      code: number | string;
      data?: { task_id: string; replayed: boolean };
    };
    const { status } = response;
    if (answer.data !== undefined) {
      const { task_id: id, replayed } = answer.data;
      return { word: 'answered', task: id, status, replayed };
    }
    const retryAfter = response.headers.has('retry-after');
    return { word: 'answered', task, status, code: String(answer.code), retryAfter };
  } catch (error) {
    // Refused, cut off or too late: whether it was stored, only another try can tell.
    const { name, cause } = error as Error;
    const code = (cause as { code?: string } | undefined)?.code ?? name;
    return { word: 'unanswered', task, status: 0, code };
  }
}

function mustRepeat({ status }: Told): boolean {
  if (status === 0) return plan.insist !== undefined;
  return status === 503 && plan.insist === 'acceptance';
}

/** Full or gone, another gateway may be better off; a queue is as full at each of them. */
function mustMoveOn({ status, code }: Told): boolean {
  return status === 0 || code === 'store-unavailable' || code === 'overloaded';
}

/** A caller: it stays with a gateway as long as that one can be had. */
class Client {
  #at: number;

  constructor(first: number) {
    this.#at = first;
  }

  async work(requests: readonly PlannedRequest[]): Promise<void> {
    for (const request of requests) {
      await this.#see(request);
      if (plan.paceMs !== undefined) await pause(plan.paceMs);
    }
  }

  /** Sends one request, and again while the plan insists. */
  async #see({ body, impatientMs }: PlannedRequest): Promise<void> {
    let limitMs = impatientMs ?? ANSWER_MS;
    for (;;) {
      const from = performance.now();
      const told = await send(plan.urls[this.#at % plan.urls.length] ?? '', body, limitMs);
      book.write({ ...told, tookMs: Math.round(performance.now() - from) });
      if (mustMoveOn(told)) this.#at += 1;
      if (!mustRepeat(told)) return;
      limitMs = ANSWER_MS;
      await pause(AGAIN_MS);
    }
  }
}

await Promise.all(plan.clients.map((requests, n) => new Client(n).work(requests)));
say('done');
process.exit(0);
