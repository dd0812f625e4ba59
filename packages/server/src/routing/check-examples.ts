import type { ExamplesPolicy } from '@agent-reach/core';
import type { Directory } from '../registry/directory.ts';
import type { Verdict } from './check-weights.ts';
import { countOf, LESSONS_MAX } from './meaning/learn.ts';

/** Judges a document of examples. One of what nobody offers is kept: it may come back. */
export function checkExamples(doc: ExamplesPolicy, tenant: string, directory: Directory): Verdict {
  const count = countOf(doc);
  const detail = `holds ${count} utterances, and ${LESSONS_MAX} are the most`;
  const faults = count > LESSONS_MAX ? [{ pointer: '#/doc', detail }] : [];
  const unknown = Object.keys(doc.capabilities ?? {}).filter(
    (name) => directory.offers(tenant, name).length === 0,
  );
  return { faults, warnings: unknown.map((name) => `Nobody offers ${name} now.`) };
}
