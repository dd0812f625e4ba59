import type { TaskState } from '@agent-reach/core';
import type { Evidence, KeptTask } from './evidence.ts';
import type { Site } from './site.ts';
import type { OpenStore } from './stores.ts';

const TENANT = 'internal';
const PAGE = 1_000;

/** Reads all that the store knows of tasks, when everybody else has let go of it. */
export async function gather({
  place,
  dataDir,
}: Site): Promise<Pick<Evidence, 'kept' | 'counts' | 'damage'>> {
  const damage = place.damage(dataDir);
  await using open = await place.open(dataDir);
  return { kept: await keptIn(open), counts: await countsOf(open), damage };
}

async function keptIn({ tasks }: OpenStore): Promise<Map<string, KeptTask>> {
  const kept = new Map<string, KeptTask>();
  for (let before: number | undefined; ; ) {
    const page = await tasks.list({
      tenant: TENANT,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    for (const { taskId } of page) {
      const whole = await tasks.get({ tenant: TENANT, taskId });
      if (whole === undefined) continue;
      const { state, version, deliveries, attempts, result } = whole;
      const run = runIn(result);
      const history = await tasks.history({ tenant: TENANT, taskId });
      const one = { state, version, deliveries, attempts, history };
      kept.set(taskId, run === undefined ? one : { ...one, run });
    }
    before = page.at(-1)?.seq;
    if (page.length < PAGE) return kept;
  }
}

/** The name of the run in a stored result. */
export function runIn(result: string | undefined): string | undefined {
  if (result === undefined) return undefined;
  const value = JSON.parse(result) as { run?: string } | null;
  return value?.run;
}

async function countsOf({ tasks }: OpenStore): Promise<Evidence['counts']> {
  const sums: Partial<Record<TaskState, number>> = {};
  for (const queue of await tasks.counts({ tenant: TENANT })) {
    for (const state of ['blocked', 'queued', 'waiting', 'delivered', 'running', 'dead'] as const) {
      sums[state] = (sums[state] ?? 0) + queue[state];
    }
  }
  return sums;
}
