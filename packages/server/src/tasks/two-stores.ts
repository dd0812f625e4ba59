import type { TaskName, TaskRow, TasksStore } from '../storage/spi/tasks.ts';

/** What of the tasks that may be lost is kept in memory, and how long. */
export interface ShortBounds {
  /** Tasks at a time. */
  tasksMax: number;
  /** After their end. */
  retentionMs: number;
}

/** Two stores as one, and whether the one in memory takes another task. */
export interface TwoStores {
  store: TasksStore;
  hasRoom: () => boolean;
}

/** Begins the ids of short tasks: who sees one knows where it is, and that it may be gone. */
export const SHORT_PREFIX = 'tsm';

/** Whether a task of this id may be lost with the process that took it. */
export function isShortId(taskId: string): boolean {
  return taskId.startsWith(`${SHORT_PREFIX}_`);
}

/** Whether a task outlives the gateway that took it. */
export function durabilityOf(taskId: string): 'durable' | 'memory' {
  return isShortId(taskId) ? 'memory' : 'durable';
}

/**
 * Numbers of short tasks begin here, so that a listing goes through them first and then on to the
 * durable ones, by one and the same cursor.
 */
const SHORT_SEQ = 2 ** 51;

/**
 * Durable tasks in one store, short ones in another, whose moves wait for no disk. Every move goes
 * to the store that has the task; those that name none go to both, to the short ones first.
 * Priority and turns hold within each, and `pendingMax` bounds each. A short task has no key,
 * parent or chain: those are matters of one store.
 */
export function inTwoStores(
  durable: TasksStore,
  memory: TasksStore,
  { tasksMax, retentionMs }: ShortBounds,
): TwoStores {
  let held = 0;
  const store: TasksStore = {
    ...byName(({ taskId }) => (isShortId(taskId) ? memory : durable)),
    chainHead: (query) => durable.chainHead(query),
    async submit(move) {
      const outcomes = await split(move.tasks, {
        short: (tasks) => memory.submit({ ...move, tasks }),
        others: (tasks) => durable.submit({ ...move, tasks }),
      });
      for (const one of outcomes) {
        if (one.outcome === 'accepted' && isShortId(one.row.taskId)) held += 1;
      }
      return outcomes;
    },
    extend: (move) =>
      split(move.leases, {
        short: (leases) => memory.extend({ ...move, leases }),
        others: (leases) => durable.extend({ ...move, leases }),
      }),
    async bind(move) {
      const [short, others] = parted(move.tasks);
      return [
        ...(short.length === 0 ? [] : await memory.bind({ ...move, tasks: short })),
        ...(others.length === 0 ? [] : await durable.bind({ ...move, tasks: others })),
      ];
    },
    async claim(move) {
      const short = held === 0 ? [] : await memory.claim(move);
      const limit = move.limit - short.length;
      return limit === 0 ? short : [...short, ...(await durable.claim({ ...move, limit }))];
    },
    async expire(move) {
      const [a, b] = await Promise.all([memory.expire(move), durable.expire(move)]);
      return { expired: [...a.expired, ...b.expired], next: b.next };
    },
    async tick(move) {
      const [a, b] = await Promise.all([memory.tick(move), durable.tick(move)]);
      return { overdue: [...a.overdue, ...b.overdue], due: [...a.due, ...b.due], next: b.next };
    },
    async grace(move) {
      return (await memory.grace(move)) + (await durable.grace(move));
    },
    list: (query) => (held === 0 ? durable.list(query) : listBoth(durable, memory, query)),
    async counts(query) {
      const short = held === 0 ? [] : await memory.counts(query);
      return [...short, ...(await durable.counts(query))];
    },
    async prune(move) {
      const { now } = move;
      const soon = typeof now === 'number' ? now - retentionMs : move.endedBefore;
      const endedBefore = Math.max(move.endedBefore, soon);
      const short = await memory.prune({ ...move, endedBefore, deadBefore: endedBefore });
      held -= short.forgotten;
      const others = await durable.prune(move);
      return { forgotten: Math.max(short.forgotten, others.forgotten), next: others.next };
    },
  };
  return { store, hasRoom: () => held < tasksMax };
}

async function listBoth(
  durable: TasksStore,
  memory: TasksStore,
  query: Parameters<TasksStore['list']>[0],
): Promise<TaskRow[]> {
  const { before, ...all } = query;
  if (before !== undefined && before <= SHORT_SEQ) return durable.list(query);
  const from = before === undefined ? {} : { before: before - SHORT_SEQ };
  const short = await memory.list({ ...all, ...from });
  const limit = query.limit - short.length;
  const others = limit === 0 ? [] : await durable.list({ ...all, limit });
  return [...short.map((row) => ({ ...row, seq: row.seq + SHORT_SEQ })), ...others];
}

/** The moves of one task, made by the store that has it. */
function byName(storeOf: (name: TaskName) => TasksStore) {
  return {
    ack: (move) => storeOf(move).ack(move),
    progress: (move) => storeOf(move).progress(move),
    settle: (move) => storeOf(move).settle(move),
    cancel: (move) => storeOf(move).cancel(move),
    kill: (move) => storeOf(move).kill(move),
    edit: (move) => storeOf(move).edit(move),
    redrive: (move) => storeOf(move).redrive(move),
    skip: (move) => storeOf(move).skip(move),
    hasten: (move) => storeOf(move).hasten(move),
    get: (query) => storeOf(query).get(query),
    history: (query) => storeOf(query).history(query),
    orphans: (query) => storeOf(query).orphans(query),
    edits: (query) => storeOf(query).edits(query),
    ahead: (query) => storeOf(query).ahead(query),
  } satisfies Partial<TasksStore>;
}

function parted<T extends TaskName>(all: readonly T[]): [T[], T[]] {
  return [
    all.filter(({ taskId }) => isShortId(taskId)),
    all.filter(({ taskId }) => !isShortId(taskId)),
  ];
}

/** Asks each store for its own, and answers in the order asked. */
async function split<T extends TaskName, Answer>(
  all: readonly T[],
  ask: Record<'short' | 'others', (some: T[]) => Promise<Answer[]>>,
): Promise<Answer[]> {
  const [short, others] = parted(all);
  if (short.length === 0) return ask.others(others);
  if (others.length === 0) return ask.short(short);
  const [a, b] = await Promise.all([ask.short(short), ask.others(others)]);
  const answers = { short: a.values(), others: b.values() };
  return all.map(({ taskId }) => {
    const { value } = answers[isShortId(taskId) ? 'short' : 'others'].next();
    if (value === undefined) throw new Error(`${taskId} was not answered`);
    return value;
  });
}
