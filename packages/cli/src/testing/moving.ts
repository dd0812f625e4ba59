import type { TaskView } from '@agent-reach/core';
import { FakeGateway } from './fake-gateway.ts';
import { taskTicket, taskView } from './samples.ts';

/** A gateway that shows one task as it moves, a step at each look. */
export async function moving(steps: Partial<TaskView>[]) {
  const gateway = await FakeGateway.open();
  let looks = 0;
  gateway.on('tasks.submit', () => taskTicket());
  gateway.on('tasks.get', () => taskView(steps[Math.min(looks++, steps.length - 1)]));
  return { gateway, looks: () => looks };
}
