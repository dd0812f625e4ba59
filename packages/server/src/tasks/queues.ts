import type { Asker, Input, Output } from '@agent-reach/core';
import type { QueueCounts } from '../storage/spi/tasks.ts';
import type { QueueName } from './book.ts';
import { isDeserted } from './levels.ts';
import { estimateOf } from './pace.ts';
import { reachRate } from './reach-rate.ts';
import type { TaskRoom } from './room.ts';

type Shown = Output<'queues.list'>['queues'][number];

const QUEUES_MAX = 1_000;
const PARTS = 10_000;

/** Every queue of a tenant in which tasks live, the fullest first. */
export async function listQueues(
  { agent }: Input<'queues.list'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'queues.list'>> {
  const queues = new Map<string, QueueCounts>();
  for (const counts of await room.store.counts({ tenant })) {
    if (agent !== undefined && counts.agentId !== agent) continue;
    const key = JSON.stringify([counts.agentId ?? null, counts.agentId ? null : counts.taskType]);
    const known = queues.get(key);
    queues.set(key, known === undefined ? counts : together(known, counts));
  }
  return {
    queues: [...queues.values()]
      .map((counts) => shown(counts, room))
      .sort((a, b) => b.pending - a.pending || b.running - a.running)
      .slice(0, QUEUES_MAX),
  };
}

/** A queue's figures come by task type, and from each store that has some of it. */
function together(a: QueueCounts, b: QueueCounts): QueueCounts {
  const ages = [a.oldestAt, b.oldestAt].filter((at) => at !== undefined);
  return {
    tenant: a.tenant,
    ...(a.agentId === undefined ? {} : { agentId: a.agentId }),
    ...(a.agentId === undefined && a.taskType !== undefined ? { taskType: a.taskType } : {}),
    blocked: a.blocked + b.blocked,
    queued: a.queued + b.queued,
    waiting: a.waiting + b.waiting,
    delivered: a.delivered + b.delivered,
    running: a.running + b.running,
    dead: a.dead + b.dead,
    ...(ages.length === 0 ? {} : { oldestAt: Math.min(...ages) }),
  };
}

function shown(counts: QueueCounts, room: TaskRoom): Shown {
  const { tenant, agentId, taskType = '', oldestAt } = counts;
  const name: QueueName = { tenant, agentId, taskType };
  const { pace } = room.book.of(name);
  const run = pace === undefined ? undefined : estimateOf(pace, 1);
  const { level, by } = room.book.markOf(name);
  const rate = reachRate(room.book.reachOf(name));
  const { blocked, queued, waiting, delivered, running, dead } = counts;
  return {
    ...(agentId === undefined ? { task_type: taskType } : { agent: agentId }),
    level,
    ...(level === 'calm' ? {} : { level_by: by }),
    ...(agentId !== undefined && isDeserted(name, room) ? { away: true } : {}),
    pending: blocked + queued + waiting,
    limit: room.options.pendingMax,
    blocked,
    queued,
    waiting,
    delivered,
    running,
    dead,
    ...(oldestAt === undefined
      ? {}
      : { oldest_wait_ms: Math.max(0, Math.round(room.clock.now() - oldestAt)) }),
    ...(run === undefined ? {} : { run_p50_ms: run.p50Ms, run_p90_ms: run.p90Ms }),
    ...(rate === undefined ? {} : { reach_rate: Math.round(rate * PARTS) / PARTS }),
  };
}
