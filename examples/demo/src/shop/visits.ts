import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '@agent-reach/sdk';

// Each agent writes into a file of its own what it is asked. What a run reached is counted from these
// files alone: where the gateway sent a question is what is to be judged, so it is not asked.

/** Somebody was asked something. */
export interface Visit {
  agent: string;
  capability: string;
  /** Of the question that led here. */
  traceId: string;
  /** Milliseconds, to say what came first. */
  at: number;
}

/** Notes down that an agent is asked. A line is one write. */
export function noteVisit(folder: string, agent: string, { capability, traceId }: Context): void {
  const at = performance.timeOrigin + performance.now();
  const visit: Visit = { agent, capability, traceId, at };
  appendFileSync(join(folder, `${agent}.jsonl`), `${JSON.stringify(visit)}\n`);
}

/** Everything that was noted down, in its order. */
export function readVisits(folder: string): Visit[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const visits = files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Visit);
  });
  return visits.toSorted((a, b) => a.at - b.at);
}
