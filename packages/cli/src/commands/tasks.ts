import type { Output, TaskRequest, TaskTicket, TaskView } from '@agent-reach/core';
import { hasEnded, type Reach } from '@agent-reach/sdk';
import { EXIT, UsageError } from '../failure.ts';
import { follow } from '../follow.ts';
import { readCount, readNames, readParams, readSpanMs, readTags } from '../input.ts';
import { LiveLine } from '../render/live.ts';
import { byWord, lookOf } from '../render/looks.ts';
import { moment, readMoment, span } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { json, plain } from '../render/plain.ts';
import { type Column, facts, table } from '../render/table.ts';
import {
  expected,
  KEPT_IN_MEMORY,
  liveTask,
  showTask,
  statusOf,
  taskColumns,
} from '../render/task.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import { given, type Use } from '../use.ts';
import { candidateColumns } from './call.ts';
import { showNeeds } from './confirmations.ts';

/** How long `--wait` waits when it does not say. */
const WAIT_MS = 60_000;
const LIST_MAX = 100;

/** `reach tasks submit`: the ticket; with `--wait` the result, and how it was come by. */
export async function submitTask(use: Use, session: Session): Promise<number> {
  const request = await requestOf(use, session);
  const waitMs = waitOf(use);
  return session.withReach(async (reach) => {
    const ticket = await reach.tasks.submit(request);
    session.warn(ticket.warnings);
    const { confirmation } = ticket;
    if (confirmation !== undefined) {
      const again = `the same command with --id ${ticket.task_id}`;
      session.answer(ticket, (page) => showNeeds(confirmation, again, page));
      return EXIT.failed;
    }
    if (waitMs !== undefined) return awaitTask(ticket.task_id, waitMs, reach, session);
    session.answer(ticket, (page) => showTicket(ticket, page));
    return EXIT.ok;
  });
}

async function requestOf(use: Use, session: Session): Promise<TaskRequest> {
  const context = given({
    trace_id: use.text('traceId'),
    fallback: readNames(use.text('fallback')),
  });
  return {
    task_type: use.required(0),
    ...given({
      payload: await readParams(use.operand(1), use.many('param'), session.world),
      tags: readTags(use.many('tag')),
      strict_tags: use.on('strictTags') || undefined,
      agent: use.text('agent'),
      priority: readCount(use.text('priority'), '--priority'),
      timeout: secondsOf(use, 'timeout'),
      delay: secondsOf(use, 'delay'),
      stall_after: secondsOf(use, 'stallAfter'),
      durability: use.on('memory') ? ('memory' as const) : undefined,
      max_retry: readCount(use.text('maxRetry'), '--max-retry'),
      task_id: use.text('id'),
      idempotency_key: use.text('key'),
      confirmation_code: use.text('confirmation'),
      source_id: use.text('source'),
      ordered: use.on('ordered') || undefined,
      order_seq: readCount(use.text('orderSeq'), '--order-seq'),
      on_dead: onDeadOf(use.text('onDead')),
      parent_id: use.text('parent'),
      context: Object.keys(context).length === 0 ? undefined : context,
    }),
  };
}

function onDeadOf(said: string | undefined): TaskRequest['on_dead'] {
  if (said === undefined || said === 'block' || said === 'skip') return said;
  throw new UsageError(`--on-dead ${said}: write block or skip.`);
}

function secondsOf(use: Use, flag: string): number | undefined {
  const ms = readSpanMs(use.text(flag), `--${flag}`);
  return ms === undefined ? undefined : ms / 1_000;
}

function waitOf(use: Use): number | undefined {
  if (!use.has('wait')) return undefined;
  return readSpanMs(use.text('wait'), '--wait') ?? WAIT_MS;
}

function showTicket(ticket: TaskTicket, page: Page): string {
  return facts(
    [
      ['task', ticket.task_id],
      ['status', ticket.status, lookOf(ticket.status)],
      ['ahead', ticket.position],
      ['expected in', expected(ticket)],
      ['agent', ticket.agent],
      ['done as', ticket.degraded_to],
      ['kept', ticket.durability === 'memory' ? KEPT_IN_MEMORY : undefined],
      ['trace', ticket.trace_id],
      ['replayed', ticket.replayed ? 'yes: it had been submitted before' : undefined],
    ],
    page,
  );
}

/** Waits for the end under a live line; the result goes out, all else to the side. */
async function awaitTask(
  id: string,
  waitMs: number,
  reach: Reach,
  session: Session,
): Promise<number> {
  using going = untilStopped(session.world);
  using line = new LiveLine(session.world.err, !session.isJson);
  using _ = session.clock.timer(waitMs, () => going.abort());
  let last: TaskView | undefined;
  for await (const task of follow(id, { reach, session, signal: going.signal })) {
    last = task;
    line.show(liveTask(task, session));
  }
  line.clear();
  if (last !== undefined && hasEnded(last)) return answerEnd(last, session);
  session.note(`reach: ${id} goes on. Wait on with \`reach tasks get ${id} --wait\`.`);
  return EXIT.failed;
}

function answerEnd(task: TaskView, session: Session): number {
  const isDone = task.status === 'succeeded';
  const { isTerminal } = session.world.out;
  session.answer(task, () => (isDone ? `${json(task.result ?? null, isTerminal)}\n` : ''));
  if (!session.isJson) session.world.err.write(summaryOf(task, session));
  return isDone ? EXIT.ok : EXIT.failed;
}

function summaryOf(task: TaskView, session: Session): string {
  const page = session.notePage;
  const status = statusOf(task);
  const [from, to] = [readMoment(task.created_at), readMoment(task.ended_at ?? task.updated_at)];
  const words = [
    task.task_id,
    ...(task.agent === undefined ? [] : [task.agent]),
    `run ${task.attempts} of ${task.attempts_max}`,
    ...(from === undefined || to === undefined ? [] : [`after ${span(to - from)}`]),
    `trace ${task.trace_id}`,
  ];
  const why = task.reason === undefined ? '' : `: ${plain(task.reason)}`;
  const verdict = status === 'succeeded' ? '' : `reach: ${page.paint('red', status)}${why}\n`;
  return `${verdict}${page.paint('dim', plain(words.join(' · ')))}\n`;
}

/** `reach tasks get`. */
export async function getTask(use: Use, session: Session): Promise<number> {
  const id = use.required(0);
  const waitMs = waitOf(use);
  return session.withReach(async (reach) => {
    if (waitMs !== undefined) return awaitTask(id, waitMs, reach, session);
    const task = await reach.tasks.get(id);
    session.answer(task, (page) => showTask(task, session, page));
    return EXIT.ok;
  });
}

/** `reach tasks list`. */
export async function listTasks(use: Use, session: Session): Promise<void> {
  const most = readCount(use.text('limit'), '--limit') ?? LIST_MAX;
  if (most < 1) throw new UsageError('--limit 0: write a whole number from 1 on.');
  const tasks: TaskView[] = [];
  await session.withReach(async (reach) => {
    for await (const task of reach.tasks.list({
      ...selectionOf(use),
      limit: Math.min(most, 1_000),
    })) {
      tasks.push(task);
      if (tasks.length >= most) break;
    }
  });
  session.list({ tasks }, tasks, taskColumns(session));
}

/** The flags that say which tasks are meant. */
export function selectionOf(use: Use) {
  return given({
    // The gateway holds the word to its own table and says what is allowed.
    status: use.text('status') as TaskView['status'] | undefined,
    agent: use.text('agent'),
    task_type: use.text('type'),
    principal: use.text('principal'),
    trace_id: use.text('trace'),
    parent_id: use.text('parent'),
    source_id: use.text('source'),
  });
}

/** `reach tasks why`. */
export async function whyTask(use: Use, session: Session): Promise<void> {
  const why = await session.withReach((reach) => reach.tasks.why(use.required(0)));
  session.answer(why, (page) => {
    const { candidates = [], status } = why;
    const head = `${plain(why.task_id)} is ${page.paint(lookOf(status) ?? 'bold', status)}\n`;
    const says = why.says.map((line) => `  ${plain(line)}\n`).join('');
    if (candidates.length === 0) return head + says;
    return `${head}${says}\n${table(candidates, candidateColumns(session), page)}`;
  });
}

/** `reach tasks history`. */
export async function showHistory(use: Use, session: Session): Promise<void> {
  const id = use.required(0);
  const data = await session.ask('tasks.history', { task_id: id });
  session.warn(data.warnings);
  session.list(data, data.moves, moveColumns(session));
}

function moveColumns(session: Session): Column<Output<'tasks.history'>['moves'][number]>[] {
  const isForPeople = session.page.width !== undefined;
  const at = (text: string) => {
    const read = readMoment(text);
    return read === undefined ? text : moment(read, isForPeople);
  };
  return [
    { title: 'AT', of: (move) => at(move.at) },
    { title: 'FROM', of: (move) => move.from ?? '', paint: byWord },
    { title: 'TO', of: (move) => move.to, paint: byWord },
    { title: 'CAUSE', of: (move) => move.cause },
    { title: 'HOLDER', of: (move) => move.holder ?? '', flexible: true },
    { title: 'WHY', of: (move) => move.reason ?? '', flexible: true },
  ];
}

/** `reach tasks cancel`. */
export async function cancelTask(use: Use, session: Session): Promise<void> {
  const id = use.required(0);
  const cancelled = await session.withReach((reach) =>
    reach.tasks.cancel(id, given({ reason: use.text('reason') })),
  );
  session.answer({ cancelled }, () => {
    if (cancelled.length === 0) return `${plain(id)} had ended already\n`;
    return cancelled.map((one) => `${plain(one)} cancelled\n`).join('');
  });
}

/** `reach tasks park`. */
export async function parkTask(use: Use, session: Session): Promise<void> {
  const reason = use.text('reason');
  if (reason === undefined) throw new UsageError('Say why, with --reason.');
  const task = await session.ask('tasks.park', { task_id: use.required(0), reason });
  session.answer(task, (page) => showTask(task, session, page));
}
