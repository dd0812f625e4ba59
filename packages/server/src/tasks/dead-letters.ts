import {
  type Asker,
  type Input,
  type Issue,
  type Output,
  TASK_CAUSES,
  type TaskCause,
  validationFailed,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { offerers, payloadFaults } from '../pipeline/plan.ts';
import type { EditRow, TaskRow } from '../storage/spi/tasks.ts';
import { fingerprintOf, foldReason } from './fingerprint.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';
import { viewOf } from './view.ts';
import { taskNotFound } from './words.ts';

const LIMIT = 100;
/** What the store gives at once, and how much of it is looked through for one answer. */
const PAGE = 1_000;
const PAGES_MAX = 10;
const EDITS = 5;
/** Names shown of a group: whom to ask first, no census. */
const NAMES_MAX = 10;

/** Which parked tasks are meant. */
export type DeadFilter = Pick<
  Input<'dead-letters.list'>,
  'agent' | 'task_type' | 'cause' | 'fingerprint'
>;

/** Parked tasks, newest first; on the first page also in which ways they went wrong. */
export async function listDead(
  input: Input<'dead-letters.list'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.list'>> {
  const { cursor, limit = LIMIT, ...filter } = input;
  const found = await findDead(filter, { tenant, cursor, limit }, room);
  return {
    ...(cursor === undefined ? await groupsOf(filter, tenant, room) : {}),
    tasks: found.rows.map((row) => viewOf(row)),
    ...(found.cursor === undefined ? {} : { cursor: found.cursor }),
  };
}

/** Up to `limit` of those that are meant, newest first, and where to go on if there may be more. */
export async function findDead(
  filter: DeadFilter,
  at: { tenant: string; cursor: number | undefined; limit: number },
  room: TaskRoom,
): Promise<{ rows: TaskRow[]; cursor?: number }> {
  const size = filter.fingerprint === undefined ? at.limit : PAGE;
  const rows: TaskRow[] = [];
  let before = at.cursor;
  for (let page = 0; page < PAGES_MAX; page++) {
    const read = await readPage(filter, { ...at, before, size }, room);
    for (const row of read) {
      before = row.seq;
      if (isMeant(row, filter)) rows.push(row);
      if (rows.length === at.limit) return { rows, cursor: row.seq };
    }
    if (read.length < size) return { rows };
  }
  return before === undefined ? { rows } : { rows, cursor: before };
}

function readPage(
  filter: DeadFilter,
  at: { tenant: string; before: number | undefined; size: number },
  room: TaskRoom,
): Promise<TaskRow[]> {
  return room.store.list({
    tenant: at.tenant,
    states: ['dead'],
    ...(filter.agent === undefined ? {} : { agentId: filter.agent }),
    ...(filter.task_type === undefined ? {} : { taskType: filter.task_type }),
    ...(filter.cause === undefined ? {} : { causes: [demandCause(filter.cause)] }),
    ...(at.before === undefined ? {} : { before: at.before }),
    limit: at.size,
  });
}

function isMeant(row: TaskRow, { fingerprint }: DeadFilter): boolean {
  return fingerprint === undefined || fingerprintOf(row) === fingerprint;
}

function demandCause(cause: string): TaskCause {
  const known = TASK_CAUSES.find((one) => one === cause);
  if (known !== undefined) return known;
  throw validationFailed('The request', [
    { pointer: '#/cause', detail: `must be one of ${TASK_CAUSES.join(', ')}` },
  ]);
}

type Group = NonNullable<Output<'dead-letters.list'>['groups']>[number];

/** The ways in which the newest of them went wrong, the most frequent first. */
async function groupsOf(
  filter: DeadFilter,
  tenant: string,
  room: TaskRoom,
): Promise<{ groups: Group[]; counted: number }> {
  const groups = new Map<string, Group>();
  let counted = 0;
  let before: number | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await readPage(filter, { tenant, before, size: PAGE }, room);
    for (const row of rows.filter((one) => isMeant(one, filter))) {
      counted += 1;
      join(groups, row);
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) break;
  }
  return { groups: [...groups.values()].sort((a, b) => b.count - a.count), counted };
}

function join(groups: Map<string, Group>, row: TaskRow): void {
  const fingerprint = fingerprintOf(row);
  const at = iso(row.updatedAt);
  const group = groups.get(fingerprint) ?? {
    fingerprint,
    cause: row.cause ?? '',
    reason: foldReason(row.reason ?? ''),
    count: 0,
    first_at: at,
    last_at: at,
    example: row.taskId,
    task_types: [],
    agents: [],
  };
  groups.set(fingerprint, group);
  group.count += 1;
  if (at < group.first_at) group.first_at = at;
  if (at > group.last_at) group.last_at = at;
  note(group.task_types, row.taskType);
  if (row.agentId !== undefined) note(group.agents, row.agentId);
}

function note(names: string[], name: string): void {
  if (names.length < NAMES_MAX && !names.includes(name)) names.push(name);
}

/** One parked task: its payload, what of it breaks the present schema, its edits, late results. */
export async function getDead(
  input: Input<'dead-letters.get'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.get'>> {
  const task = await demandTask({ tenant, taskId: input.task_id }, room);
  if (task.state !== 'dead') throw taskNotFound(input.task_id);
  const [orphans, edits] = await Promise.all([room.store.orphans(task), room.store.edits(task)]);
  return {
    task: viewOf(task, { payload: task.payload, result: task.result }),
    version: task.version,
    faults: verdictOn(task, JSON.parse(task.payload), room).faults,
    edits: changesOf(edits, task.payload).slice(0, input.edits ?? EDITS),
    orphans: orphans.map(({ epoch, at, result }) => ({
      epoch,
      at: iso(at),
      result: JSON.parse(result) as unknown,
    })),
  };
}

/** Each edit keeps what was before it: what it made of that is before the next one, or is there now. */
function changesOf(edits: readonly EditRow[], now: string): Output<'dead-letters.get'>['edits'] {
  return edits.map(({ version, at, by, reason, payload }, i) => ({
    version,
    at: iso(at),
    by,
    ...(reason === undefined ? {} : { reason }),
    before: JSON.parse(payload) as unknown,
    after: JSON.parse(edits[i - 1]?.payload ?? now) as unknown,
  }));
}

/**
 * What of a payload breaks the schema of whoever would take it: of its agent, or of that provider
 * whom it fits best. `isChecked` is false where nobody offers the capability now.
 */
export function verdictOn(
  { tenant, agentId, taskType }: TaskRow,
  payload: unknown,
  room: TaskRoom,
): { faults: Issue[]; isChecked: boolean } {
  const all = offerers({ tenant, capability: taskType }, room.road);
  const agents = agentId !== undefined && all.includes(agentId) ? [agentId] : all;
  const faults = agents.map((one) =>
    payloadFaults({ tenant, agentId: one, capability: taskType }, payload, room.road),
  );
  // One who takes it is enough.
  const fewest = faults.find((found) => found.length === 0) ?? faults[0] ?? [];
  return {
    faults: fewest.map(({ pointer, detail }) => ({
      pointer: `#/payload${pointer.slice(1)}`,
      detail,
    })),
    isChecked: agents.length > 0,
  };
}
