import type { TaskView } from '@agent-reach/core';
import type { Session } from '../session.ts';
import { byWord, lookOf } from './looks.ts';
import { bar } from './live.ts';
import { ago, readMoment, span } from './moments.ts';
import type { Page } from './page.ts';
import { json } from './plain.ts';
import { type Column, facts } from './table.ts';

/**
 * How a task stands, in the word that people use: one that its own deadline ended is TIMEOUT, one
 * that runs without getting on is STALLED.
 */
export function statusOf({ status, cause, stalled_since: stalled }: TaskView): string {
  if (stalled !== undefined) return 'STALLED';
  return status === 'failed' && cause === 'timeout' ? 'TIMEOUT' : status;
}

/** The runs so far, of those it may have. */
export function triesOf({ attempts, attempts_max: max }: TaskView): string {
  return `${attempts}/${max}`;
}

/** How far it is, and with what. */
export function progressOf({ progress }: TaskView): string {
  if (progress === undefined) return '';
  const note = progress.note === undefined ? '' : ` ${progress.note}`;
  return `${Math.round(progress.percent)} %${note}`;
}

/** A task as one line that is written over. */
export function liveTask(task: TaskView, session: Session): string {
  const { progress, agent, created_at: since } = task;
  const percent = progress?.percent;
  const born = readMoment(since);
  return [
    `${task.task_id} ${statusOf(task)}`,
    ...(percent === undefined ? [] : [`${bar(percent)} ${progressOf(task)}`]),
    ...(task.position === undefined ? [] : [`${task.position} ahead`]),
    ...(task.attempts > 1 ? [`run ${triesOf(task)}`] : []),
    ...(agent === undefined ? [] : [agent]),
    ...(born === undefined ? [] : [span(Math.max(0, session.clock.now() - born))]),
  ].join(' · ');
}

/** Tasks as rows. */
export function taskColumns(session: Session): Column<TaskView>[] {
  return [
    { title: 'TASK', of: (task) => task.task_id },
    { title: 'TYPE', of: (task) => task.task_type, flexible: true },
    { title: 'STATUS', of: statusOf, paint: byWord },
    { title: 'PRI', of: (task) => task.priority, align: 'right' },
    { title: 'AGENT', of: (task) => task.agent ?? '', flexible: true },
    { title: 'RUNS', of: triesOf, align: 'right' },
    { title: 'PROGRESS', of: progressOf, flexible: true },
    { title: 'MOVED', of: (task) => momentOf(task.updated_at, session) },
    { title: 'WHY', of: (task) => task.reason ?? '', flexible: true },
  ];
}

/** One task, with its payload and its result. */
export function showTask(task: TaskView, session: Session, page: Page): string {
  const status = statusOf(task);
  const holder = task.holder === undefined ? '' : ` (${task.holder})`;
  const when = (moment: string | undefined) => moment && momentOf(moment, session);
  const list = facts(
    [
      ['task', task.task_id],
      ['type', task.task_type],
      ['instead of', task.fallback_of],
      ['status', status, lookOf(status)],
      ['why', [task.cause, task.reason].filter(Boolean).join(': ')],
      ['agent', task.agent === undefined ? undefined : task.agent + holder],
      ['priority', task.priority],
      ['ahead', task.position],
      ['effect', task.effect],
      ['runs', `${triesOf(task)}, ${task.deliveries} deliveries`],
      ['progress', progressOf(task)],
      ['no progress', since(task.stalled_since, session)],
      [task.status === 'running' ? 'ends in' : 'begins in', expected(task)],
      ['kept', task.durability === 'memory' ? KEPT_IN_MEMORY : undefined],
      ['submitted', `${when(task.created_at)} by ${task.principal}`],
      ['moved', when(task.updated_at)],
      ['due', when(task.due_at)],
      ['deadline', when(task.deadline_at)],
      ['lease ends', when(task.lease_ends)],
      ['ended', when(task.ended_at)],
      ['source', task.source_id],
      ['parent', task.parent_id],
      ['trace', task.trace_id],
    ],
    page,
  );
  return list + value('payload', task.payload, page) + value('result', task.result, page);
}

/** What is said of a task that may be lost. */
export const KEPT_IN_MEMORY = 'in memory: lost when the gateway ends';

/** When a task is likely begun, or of a running one, over; undefined: nobody can say. */
export function expected(
  task: Partial<Pick<TaskView, 'eta_ms' | 'eta_p90_ms'>>,
): string | undefined {
  const { eta_ms: p50Ms = -1, eta_p90_ms: p90Ms = -1 } = task;
  if (p50Ms < 0) return undefined;
  return p90Ms > p50Ms ? `${span(p50Ms)}, at most ${span(p90Ms)} in 9 of 10` : span(p50Ms);
}

function since(moment: string | undefined, session: Session): string | undefined {
  return moment === undefined ? undefined : `since ${momentOf(moment, session)}`;
}

/** A JSON value below its name; in a pipe on the same line. */
export function value(label: string, given: unknown, page: Page): string {
  if (given === undefined) return '';
  if (page.width === undefined) return `${label}\t${json(given, false)}\n`;
  return `${page.paint('dim', label)}\n${json(given, true)}\n`;
}

/** People read how far off it is, programs the moment itself. */
export function momentOf(moment: string, session: Session): string {
  const at = session.page.width === undefined ? undefined : readMoment(moment);
  if (at === undefined) return moment;
  const now = session.clock.now();
  return at > now ? `in ${span(at - now)}` : ago(at, now);
}
