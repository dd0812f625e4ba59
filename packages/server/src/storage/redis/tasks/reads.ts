import { demandWhole } from '../../spi/demand.ts';
import type {
  EditRow,
  OrphanRow,
  QueueCounts,
  TaskName,
  TaskRow,
  TasksStore,
} from '../../spi/tasks.ts';
import { optionalList, PIECE, record } from '../arguments.ts';
import type { Engine } from '../engine.ts';
import { items, json } from '../rows.ts';
import { toCounts, toLine, toTask, toTasks } from './row.ts';

type Reads = Pick<
  TasksStore,
  'get' | 'list' | 'history' | 'orphans' | 'edits' | 'ahead' | 'chainHead' | 'counts'
>;

/** The questions. */
export function reads(engine: Engine): Reads {
  return {
    get: (query) => get(engine, query),
    list: (query) => list(engine, query),
    history: async ({ tenant, taskId }) =>
      items(await engine.run('tasks/part', ['history', tenant, taskId])).map(toLine),
    edits: (query) => partOf<EditRow>(engine, 'edits', query),
    orphans: async (query) =>
      (await partOf<OrphanRow>(engine, 'orphans', query)).toSorted(
        (a, b) => b.at - a.at || b.epoch - a.epoch,
      ),
    ahead: (query) => ahead(engine, query),
    chainHead: async ({ tenant, chain }) => {
      const head = await engine.run('tasks/chain-head', [tenant, chain]);
      return head === null ? undefined : toTask(head);
    },
    counts: (query) => counts(engine, query.tenant ?? ''),
  };
}

async function get(engine: Engine, { tenant, taskId }: TaskName) {
  const reply = await engine.runTogether('tasks/get', [tenant, taskId]);
  if (reply === null) return undefined;
  const [, , payload, result] = items(reply);
  const row = { ...toTask(reply), payload: String(payload) };
  return typeof result === 'string' ? { ...row, result } : row;
}

/**
 * Slice by slice, from the newest on, until enough fit. What no index serves (a principal, a type) is
 * walked for; between two slices the server answers others.
 */
async function list(engine: Engine, query: Parameters<TasksStore['list']>[0]): Promise<TaskRow[]> {
  const { states, causes, before, limit, agentId, ...alike } = query;
  demandWhole('limit', limit, 1, 1_000);
  const asked = [
    ...record({ ...alike, agentId: agentId ?? undefined, isUnbound: agentId === null }),
    ...optionalList(states),
    ...optionalList(causes),
  ];
  const found: TaskRow[] = [];
  let from: string | undefined = before === undefined ? '+inf' : `(${before}`;
  while (from !== undefined && found.length < limit) {
    const words = [...asked, from, SLICE, limit - found.length];
    const [last, rows] = items(await engine.run('tasks/list', words));
    found.push(...toTasks(rows));
    from = last === null ? undefined : `(${String(last)}`;
  }
  return found;
}

/** Tasks looked at by one script, some microseconds each. */
const SLICE = 250;

async function partOf<Part>(
  engine: Engine,
  part: 'edits' | 'orphans',
  { tenant, taskId }: TaskName,
): Promise<Part[]> {
  const reply = await engine.run('tasks/part', [part, tenant, taskId]);
  return items(reply).map((line) => json(line) as Part);
}

async function ahead(engine: Engine, { tenant, taskId }: TaskName) {
  const reply = await engine.run('tasks/ahead', [tenant, taskId]);
  if (reply === null) return undefined;
  const [urgent = 0, alike = 0] = items(reply).map(Number);
  return { tasks: urgent + Math.min(alike, AHEAD_MAX), atLeast: alike > AHEAD_MAX };
}

/** The SPI's bound; here counting further would cost nothing. */
const AHEAD_MAX = 10_000;

async function counts(engine: Engine, tenant: string): Promise<QueueCounts[]> {
  const figures: QueueCounts[] = [];
  let after = '';
  for (;;) {
    const page = items(await engine.run('tasks/figures', [tenant, after, PIECE]));
    figures.push(...page.map(toCounts));
    const last = page.at(-1);
    if (last === undefined || page.length < PIECE) break;
    after = String(items(last)[0]);
  }
  return figures.filter(isAlive).toSorted(byName);
}

/** An empty queue stays until it is pruned. */
function isAlive(queue: QueueCounts): boolean {
  const { blocked, queued, waiting, delivered, running, dead } = queue;
  return blocked + queued + waiting + delivered + running + dead > 0;
}

function byName(a: QueueCounts, b: QueueCounts): number {
  return (
    byBytes(a.tenant, b.tenant) ||
    byBytes(a.agentId ?? '', b.agentId ?? '') ||
    byBytes(a.taskType ?? '', b.taskType ?? '')
  );
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
