import { type Asker, type Issue, issuesOf, TaskRequest, validationFailed } from '@agent-reach/core';
import type { TaskRoom } from './room.ts';
import { type Submitted, submitMany } from './submit.ts';

/** Submits what may be tasks: each is read, and accepted or refused, by itself. */
export async function submitBulk(
  rows: readonly unknown[],
  asker: Asker,
  room: TaskRoom,
): Promise<Submitted[]> {
  const results: Submitted[] = [];
  const requests: TaskRequest[] = [];
  const places: number[] = [];
  for (const [place, row] of rows.entries()) {
    const issues = rowIssues(row);
    if (issues.length > 0) {
      results[place] = { error: validationFailed(`Task ${place}`, issues) };
      continue;
    }
    requests.push(row as TaskRequest);
    places.push(place);
  }
  const submitted = await submitMany(requests, asker, room);
  for (const [i, one] of submitted.entries()) results[places[i] ?? 0] = one;
  return results;
}

function rowIssues(row: unknown): Issue[] {
  const issues = issuesOf(TaskRequest, row);
  const waits = issues.length === 0 && (row as TaskRequest).wait !== undefined;
  return waits ? [{ pointer: '#/wait', detail: 'is for single submissions' }] : issues;
}
