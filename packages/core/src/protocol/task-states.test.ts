import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isTaskEnd,
  isTaskLeased,
  moveTask,
  TASK_CAUSES,
  TASK_ENDS,
  TASK_LEASED,
  TASK_MOVES,
  TASK_STATES,
  type TaskCause,
  type TaskState,
} from './task-states.ts';

test('no cause moves a state in two directions', () => {
  const seen = TASK_MOVES.map(([from, cause]) => `${from} ${cause}`);

  assert.equal(new Set(seen).size, seen.length);
});

test('moves begin and end in known states, and none stays where it is', () => {
  for (const [from, , to] of TASK_MOVES) {
    assert.ok(TASK_STATES.includes(from));
    assert.ok(TASK_STATES.includes(to));
    assert.ok(!Object.is(from, to));
  }
});

test('every cause moves something, and always to one state but for what comes of a lost lease', () => {
  const targets = (cause: TaskCause) =>
    new Set(TASK_MOVES.filter(([, by]) => by === cause).map(([, , to]) => to));

  for (const cause of TASK_CAUSES) {
    // Who had not begun is queued at once, who had waits.
    assert.equal(targets(cause).size, cause === 'lease-lost' ? 2 : 1, cause);
  }
});

test('nothing leaves an end, and from everywhere else an end can be reached', () => {
  const left = new Set<TaskState>(TASK_MOVES.map(([from]) => from));
  const cancelled = TASK_MOVES.filter(([, , to]) => to === 'cancelled').map(([from]) => from);

  assert.deepEqual(
    TASK_STATES.filter((state) => !left.has(state)),
    TASK_ENDS,
  );
  assert.deepEqual(new Set<TaskState>(cancelled), left);
});

test('only a claim gives a task to somebody, and only from the queue', () => {
  const given = TASK_MOVES.filter(([from, , to]) => isTaskLeased(to) && !isTaskLeased(from));

  assert.deepEqual(given, [['queued', 'claimed', 'delivered']]);
});

test('whatever can be claimed can end by its deadline; what is dead cannot', () => {
  const overdue = TASK_MOVES.filter(([, cause]) => cause === 'timeout').map(([from]) => from);

  assert.deepEqual(
    new Set<TaskState>(overdue),
    new Set(TASK_STATES.filter((state) => state !== 'dead' && !isTaskEnd(state))),
  );
});

test('a late verdict counts where nobody holds the task and nobody else is before it', () => {
  const late = (cause: TaskCause) =>
    TASK_MOVES.filter(([, by]) => by === cause)
      .map(([from]) => from)
      .toSorted();

  assert.deepEqual(late('completed-late'), ['dead', 'queued', 'waiting']);
  assert.deepEqual(late('refused-late'), late('completed-late'));
});

test('moveTask says where each listed move leads, and knows no other', () => {
  const listed = new Map(TASK_MOVES.map(([from, cause, to]) => [`${from} ${cause}`, to]));

  for (const from of TASK_STATES) {
    for (const cause of TASK_CAUSES) {
      assert.equal(moveTask(from, cause), listed.get(`${from} ${cause}`));
    }
  }
});

test('ends and leased states are told from the others', () => {
  assert.deepEqual(TASK_STATES.filter(isTaskEnd), TASK_ENDS);
  assert.deepEqual(TASK_STATES.filter(isTaskLeased), TASK_LEASED);
});
