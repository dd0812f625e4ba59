import { type Issue, type TaskRequest, validationFailed } from '@agent-reach/core';
import type { Plan } from '../pipeline/plan.ts';
import type { TaskRoom } from './room.ts';

/** Where a task is to be kept, and what its submitter should know of that. */
export interface Keeping {
  isShort: boolean;
  warnings: string[];
}

const DURABLE: Keeping = { isShort: false, warnings: [] };

/**
 * Where a submission is kept. One that asks for memory and cannot have it is kept durably, and told
 * so; throws for one that asks for what memory cannot give: nothing but a read may be lost.
 */
export function keepingOf(request: TaskRequest, plan: Plan, room: TaskRoom): Keeping {
  if (request.durability !== 'memory') return DURABLE;
  const { candidates, capability } = plan;
  const issues = contradictions(request);
  const other = candidates.find(({ effect }) => effect !== 'read');
  if (other !== undefined) {
    const effect = other.effect === undefined ? 'declares no effect' : `is ${other.effect}`;
    const detail = `is memory, which is for reads, and ${capability} of ${other.agentId} ${effect}`;
    issues.push({ pointer: '#/durability', detail });
  }
  if (issues.length > 0) throw validationFailed('The task', issues);
  if (candidates.length === 0) return durably(`nobody is there to say that ${capability} reads`);
  if (!room.hasShortRoom()) return durably('this gateway has no place left in memory');
  return { isShort: true, warnings: [] };
}

function durably(why: string): Keeping {
  return { isShort: false, warnings: [`It is kept durably: ${why}.`] };
}

function contradictions(request: TaskRequest): Issue[] {
  const out: [keyof TaskRequest, string][] = [
    ['task_id', 'is given, and a task in memory takes the id that the gateway makes'],
    ['idempotency_key', 'is given, and a task in memory has no key'],
    ['parent_id', 'is given, and a task in memory has no parent'],
  ];
  const issues = out
    .filter(([name]) => request[name] !== undefined)
    .map(([name, detail]) => ({ pointer: `#/${name}`, detail }));
  if (request.ordered !== true) return issues;
  return [...issues, { pointer: '#/ordered', detail: 'is true, and memory keeps no order' }];
}
