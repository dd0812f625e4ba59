import { isTaskEnd } from '@agent-reach/core';
import type { Evidence } from './evidence.ts';
import type { Fault } from './rules.ts';
import type { RunNote } from './work.ts';

/** A run of an ordered task: from when, and until when if its agent lived to say so. */
interface Span {
  task: string;
  seq: number;
  from: number;
  until: number | undefined;
}

/**
 * P4. Agents note the begin of a run before they work and its end before they tell anybody, so runs
 * that follow each other never touch. A run without an end died with its process; the next task of
 * its source may come only when that one has ended in another way.
 */
export function orderFaults({ runs, kept }: Evidence): Fault[] {
  const ordered = runs.filter(({ key, seq }) => key !== undefined && seq !== undefined);
  const faults: Fault[] = [];
  for (const [key, notes] of Map.groupBy(ordered, ({ key }) => key)) {
    const spans = spansOf(notes);
    for (const [i, later] of spans.entries()) {
      const earlier = spans[i - 1];
      if (earlier === undefined) continue;
      const detail = between(earlier, later, kept);
      if (detail === undefined) continue;
      faults.push({ rule: 'P4', task: later.task, detail: `source ${key}: ${detail}` });
    }
  }
  return faults;
}

function spansOf(notes: readonly RunNote[]): Span[] {
  const ends = new Map(
    notes.filter(({ word }) => word !== 'start').map(({ run, at }) => [run, at] as const),
  );
  return notes
    .filter(({ word }) => word === 'start')
    .map(({ task, seq = 0, at, run }) => ({ task, seq, from: at, until: ends.get(run) }))
    .toSorted((a, b) => a.from - b.from);
}

function between(earlier: Span, later: Span, kept: Evidence['kept']): string | undefined {
  if (later.seq < earlier.seq) return `${later.task} began after ${earlier.task}`;
  if (earlier.until !== undefined) {
    const overlapUs = earlier.until - later.from;
    return overlapUs > 0 ? `${earlier.task} still ran, for ${overlapUs} µs` : undefined;
  }
  if (earlier.task === later.task) return undefined;
  const state = kept.get(earlier.task)?.state;
  const hasEndedOtherwise = state !== undefined && state !== 'succeeded' && isTaskEnd(state);
  return hasEndedOtherwise ? undefined : `${earlier.task} was cut off, and never came to its end`;
}
