import { type Input, OPERATIONS, type OperationName, type TaskRequest } from '@agent-reach/core';

type Judge<K extends OperationName> = (input: Input<K>) => boolean;

/** Operations for which it is the input that says so. */
const BY_INPUT: { [K in OperationName]?: Judge<K> } = {
  'calls.invoke': isNamed,
  'tasks.submit': isRepeatableTask,
  'tasks.submit-many': ({ tasks }) => tasks.every(isRepeatableTask),
};

/**
 * Whether the request may be sent again after its connection broke, when nobody knows whether the
 * first one was carried out: a read, a write that is no more when it is repeated, and whatever is
 * named by its sender, because gateways of one store carry a name out once.
 */
export function mayRepeat<K extends OperationName>(name: K, input: Input<K>): boolean {
  const byInput: Judge<K> | undefined = BY_INPUT[name];
  return byInput === undefined ? OPERATIONS[name].effect !== 'write' : byInput(input);
}

interface Names {
  task_id?: string;
  idempotency_key?: string;
  request_id?: string;
}

/** Whether it carries a name by which a gateway knows that it is the same once more. */
export function isNamed({ task_id: id, idempotency_key: key, request_id: requestId }: Names) {
  return (id ?? key ?? requestId) !== undefined;
}

/** What may be lost is a read, for which twice is no harm. */
function isRepeatableTask(task: TaskRequest): boolean {
  return isNamed(task) || task.durability === 'memory';
}
