import type { TaskView } from '@agent-reach/core';
import { hasEnded } from '@agent-reach/sdk';
import { EXIT } from '../failure.ts';
import { follow, type FollowOptions, looks, markOf } from '../follow.ts';
import { LiveLine } from '../render/live.ts';
import { lookOf } from '../render/looks.ts';
import { moment, readMoment } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { json, plain } from '../render/plain.ts';
import { liveTask, progressOf, statusOf, triesOf } from '../render/task.ts';
import { fit } from '../render/width.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Use } from '../use.ts';
import { selectionOf } from './tasks.ts';

/** How many of the newest tasks are looked at. */
const NEWEST = 500;

/**
 * `reach tasks tail`: a line each time a task has moved, and on a terminal below them a line that
 * is written over. One task ends it with its own end, and its failure is the command's.
 */
export async function tailTasks(use: Use, session: Session): Promise<number> {
  const { world } = session;
  const id = use.operand(0);
  using going = untilStopped(world);
  using line = new LiveLine(world.err, !session.isJson);
  const tell = (task: TaskView) => {
    line.clear();
    world.out.write(session.isJson ? `${json(task, false)}\n` : lineOf(task, session.page));
  };
  // Awaited here: what goes on is disposed when this function returns.
  return await session.withReach(async (reach) => {
    const options = { reach, session, signal: going.signal };
    if (id !== undefined) return tailOne(id, options, { tell, line });
    await tailAll(use, options, { tell, line });
    return EXIT.ok;
  });
}

interface Telling {
  tell: (task: TaskView) => void;
  line: LiveLine;
}

async function tailOne(
  id: string,
  options: FollowOptions,
  { tell, line }: Telling,
): Promise<number> {
  let last: TaskView | undefined;
  for await (const task of follow(id, options)) {
    // What only comes further is shown where it is written over; in a pipe each mark is a line.
    if (!line.isOn || last === undefined || hasTurned(last, task)) tell(task);
    last = task;
    if (!hasEnded(task)) line.show(liveTask(task, options.session));
  }
  return last === undefined || !hasEnded(last) || last.status === 'succeeded'
    ? EXIT.ok
    : EXIT.failed;
}

function hasTurned(before: TaskView, now: TaskView): boolean {
  const { progress: _before, ...then } = before;
  const { progress: _now, ...rest } = now;
  return markOf(then) !== markOf(rest);
}

async function tailAll(use: Use, options: FollowOptions, { tell, line }: Telling): Promise<void> {
  const { reach } = options;
  const selection = { ...selectionOf(use), limit: NEWEST };
  let known: Map<string, string> | undefined;
  const look = (signal: AbortSignal) => reach.invoke('tasks.list', selection, { signal });
  for await (const { tasks } of looks(options, look)) {
    const marks = new Map(tasks.map((task) => [task.task_id, markOf(task)]));
    // The oldest first, as they moved. Of what had ended before anybody looked nothing is told.
    for (const task of tasks.toReversed()) {
      const mark = known?.get(task.task_id);
      const isNews = known === undefined ? !hasEnded(task) : mark !== marks.get(task.task_id);
      if (isNews) tell(task);
    }
    known = marks;
    line.show(countsOf(tasks));
  }
}

function countsOf(tasks: readonly TaskView[]): string {
  const counts = Map.groupBy(tasks, statusOf);
  const words = [...counts].map(([status, group]) => `${group.length} ${status}`);
  return words.join(' · ') || 'no tasks';
}

/** A line of its own: fields between tabs in a pipe; on a terminal in columns of a fixed width. */
function lineOf(task: TaskView, page: Page): string {
  const at = readMoment(task.updated_at);
  const isForPeople = page.width !== undefined;
  const when = at === undefined ? task.updated_at : moment(at, false);
  const status = statusOf(task);
  const more = [progressOf(task), task.reason ?? ''].filter(Boolean).join(' · ');
  const fields = [
    when,
    task.task_id,
    task.task_type,
    status,
    triesOf(task),
    task.agent ?? '',
    more,
  ];
  if (!isForPeople) return `${fields.map(plain).join('\t')}\n`;
  const look = lookOf(status);
  const word = fit(status, 9);
  const cells = [
    page.paint('dim', when.slice(11, 19)),
    plain(task.task_id),
    look === undefined ? word : page.paint(look, word),
    plain([task.task_type, triesOf(task), task.agent ?? '', more].filter(Boolean).join('  ')),
  ];
  return `${cells.join('  ')}\n`;
}
