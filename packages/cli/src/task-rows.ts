import { type Flag, lazily, type Row } from './row.ts';

const tasks = () => import('./commands/tasks.ts');
const letters = () => import('./commands/dead-letters.ts');

const REASON: Flag = { flags: '--reason <text>', says: 'why, for those who wonder' };
const AGENT: Flag = { flags: '--agent <id>', says: 'in the queue of this agent' };
const TYPE: Flag = { flags: '--type <name>', says: 'of this type' };
const CAUSE: Flag = { flags: '--cause <cause>', says: 'of this cause' };
const FINGERPRINT: Flag = {
  flags: '--fingerprint <id>',
  says: 'that went wrong in this way (see `reach dead-letters list`)',
};
const LIMIT: Flag = { flags: '--limit <n>', says: 'at most so many, 100 by default' };
const WAIT: Flag = {
  flags: '--wait [time]',
  says: 'wait for the end (60s unless said), then print the result',
};

const SUBMISSION: readonly Flag[] = [
  {
    flags: '--param <name=value>',
    says: 'one field of the payload; name:=json for what is no text',
    repeats: true,
  },
  { flags: '--priority <n>', says: '0 to 10, 10 first (default 5)' },
  { flags: '--timeout <time>', says: 'fail unless it ended by then: 60s, 2h' },
  { flags: '--delay <time>', says: 'start no sooner' },
  { flags: '--stall-after <time>', says: 'shown as stalled after so long without progress' },
  { flags: '--memory', says: 'a read that may be lost with the gateway, and waits for no disk' },
  { flags: '--max-retry <n>', says: 'runs after the first one (default 3)' },
  { flags: '--id <id>', says: 'the id of the task; the same id is the same task' },
  { flags: '--key <key>', says: 'idempotency key: one key, one task' },
  { flags: '--confirmation <code>', says: 'what an earlier try was told it needs' },
  { flags: '--source <id>', says: 'what belongs together; with --ordered one after the other' },
  { flags: '--ordered', says: 'after the other ordered tasks of its source' },
  {
    flags: '--order-seq <n>',
    says: 'its place among them, counted by one; a missing one is waited for',
  },
  { flags: '--on-dead <what>', says: 'those behind it, while it is parked: block or skip' },
  { flags: '--parent <id>', says: 'cancelled with this task' },
  { flags: '--agent <id>', says: 'only this agent may do it' },
  { flags: '--tag <key=value>', says: 'a tag that the agent must carry', repeats: true },
  { flags: '--strict-tags', says: 'never relax a tag' },
  {
    flags: '--fallback <a,b>',
    says: 'types that may do it instead: if nobody is there, or below priority 3 all are at danger',
  },
  { flags: '--as <id>', says: 'who submits (where the gateway runs open)' },
  { flags: '--tenant <id>', says: 'the tenant' },
  { flags: '--trace-id <id>', says: 'join this trace' },
  WAIT,
];

const SELECTION: readonly Flag[] = [
  {
    flags: '--status <status>',
    says: 'blocked, queued, waiting, delivered, running, succeeded, failed, cancelled, dead, TIMEOUT, STALLED',
  },
  AGENT,
  TYPE,
  { flags: '--principal <id>', says: 'submitted by him' },
  { flags: '--trace <id>', says: 'of this trace' },
  { flags: '--parent <id>', says: 'submitted by this task' },
  { flags: '--source <id>', says: 'of this source' },
];

/** The commands of those who have work done. */
export const TASK_ROWS: readonly Row[] = [
  {
    path: 'tasks submit',
    operands: '<type> [payload]',
    says: 'Submit a task; what is accepted is never lost and ends once',
    heading: 'Tasks:',
    flags: SUBMISSION,
    examples: [
      'reach tasks submit render_report --param month:=3 --wait',
      `reach tasks submit query '{"sql":"SELECT 1"}' --priority 8 --timeout 60s`,
      'reach tasks submit import @rows.json --source user-7 --ordered',
    ],
    run: lazily(async () => (await tasks()).submitTask),
  },
  {
    path: 'tasks get',
    operands: '<task>',
    says: 'Show one task with payload and result',
    flags: [WAIT],
    run: lazily(async () => (await tasks()).getTask),
  },
  {
    path: 'tasks tail',
    operands: '[task]',
    says: 'Follow one task to its end, or all as they move',
    flags: SELECTION,
    examples: ['reach tasks tail tsk_01k…', 'reach tasks tail --agent sql-agent'],
    run: lazily(async () => (await import('./commands/tail.ts')).tailTasks),
  },
  {
    path: 'tasks list',
    says: 'List tasks, newest first',
    flags: [...SELECTION, LIMIT],
    examples: ['reach tasks list --status queued --agent sql-agent'],
    run: lazily(async () => (await tasks()).listTasks),
  },
  {
    path: 'tasks why',
    operands: '<task>',
    says: 'Why it is where it is, and what would move it',
    run: lazily(async () => (await tasks()).whyTask),
  },
  {
    path: 'tasks history',
    operands: '<task>',
    says: 'Every move that it has made',
    run: lazily(async () => (await tasks()).showHistory),
  },
  {
    path: 'tasks cancel',
    operands: '<task>',
    says: 'Cancel it and all that it started',
    flags: [REASON],
    run: lazily(async () => (await tasks()).cancelTask),
  },
  {
    path: 'tasks park',
    operands: '<task>',
    says: 'Take a task that waits out of its queue, as a dead letter',
    flags: [{ flags: '--reason <text>', says: 'why: it is shown with the dead letter' }],
    examples: ['reach tasks park tsk_01k… --reason "it breaks every agent"'],
    run: lazily(async () => (await tasks()).parkTask),
  },
  {
    path: 'queues list',
    says: 'Every queue with tasks: figures, oldest wait, typical run, reach rate',
    flags: [AGENT],
    examples: ['reach queues list', 'reach queues list --agent sql-agent'],
    run: lazily(async () => (await import('./commands/queues.ts')).listQueues),
  },
  {
    path: 'orders get',
    operands: '<source>',
    says: 'Whose turn it is among the ordered tasks of a source, and who waits for it',
    run: lazily(async () => (await import('./commands/orders.ts')).getOrder),
  },
];

/** The commands of those who look after what failed. */
export const DEAD_LETTER_ROWS: readonly Row[] = [
  {
    path: 'dead-letters list',
    says: 'Tasks that are parked, and in which ways they went wrong',
    flags: [AGENT, TYPE, CAUSE, FINGERPRINT, LIMIT],
    run: lazily(async () => (await letters()).listDeadLetters),
  },
  {
    path: 'dead-letters show',
    operands: '<task>',
    says: 'One of them: its payload, what of it breaks the schema, and its edits',
    flags: [
      { flags: '--edits <n>', says: 'show so many edits, 5 by default' },
      { flags: '--payload', says: 'the payload alone, to be mended' },
    ],
    examples: ['reach dead-letters show tsk_01k… --payload > payload.json'],
    run: lazily(async () => (await letters()).showDeadLetter),
  },
  {
    path: 'dead-letters edit',
    operands: '<task>',
    says: 'Mend its payload; it stays parked',
    flags: [
      { flags: '--payload <json>', says: 'the payload: JSON, @file or -' },
      { flags: '--version <n>', says: 'refuse if it is not of this version any more' },
      REASON,
    ],
    examples: ['reach dead-letters edit tsk_01k… --payload @payload.json --reason "wrong region"'],
    run: lazily(async () => (await letters()).editDeadLetter),
  },
  {
    path: 'dead-letters undo',
    operands: '<task>',
    says: 'Put the payload back as it was before the last edit; again, to redo it',
    flags: [REASON],
    run: lazily(async () => (await letters()).undoDeadLetter),
  },
  {
    path: 'dead-letters skip',
    operands: '<task>',
    says: 'Let the ordered tasks behind it go on; it stays parked',
    flags: [REASON],
    run: lazily(async () => (await letters()).skipDeadLetter),
  },
  {
    path: 'dead-letters redrive',
    operands: '[tasks...]',
    says: 'Run them again: those that are named, or those that the flags select',
    flags: [
      AGENT,
      TYPE,
      CAUSE,
      FINGERPRINT,
      { flags: '--all', says: 'every one' },
      { flags: '--dry-run', says: 'say what would become of each, and move nothing' },
      { flags: '--rate <n>', says: 'so many a second, 10 by default, 100 at most' },
      { flags: '--limit <n>', says: 'at most so many' },
      { flags: '--payload <json>', says: 'of one task: with this payload (JSON, @file or -)' },
      REASON,
    ],
    examples: [
      'reach dead-letters redrive --fingerprint 9f2c01d4aa31 --dry-run',
      'reach dead-letters redrive --agent sql-agent --rate 5 --reason "it is mended"',
    ],
    run: lazily(async () => (await import('./commands/redrive.ts')).redriveDeadLetters),
  },
];
