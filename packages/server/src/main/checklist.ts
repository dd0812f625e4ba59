import { type ChecklistItem, checklist as joining } from '../registry/manifest/checklist.ts';
import { normaliseManifest } from '../registry/manifest/normalise.ts';
import { lintManifest } from '../routing/lint-offers.ts';

const CALL_TIMEOUT_MAX_MS = 60_000;

/** The joining checklist, and what makes a capability hard to find by its meaning; never throws. */
export function checklist(body: unknown): ChecklistItem[] {
  const items = joining(body);
  if (items.some(({ verdict }) => verdict === 'failed')) return items;
  const { manifest } = normaliseManifest(body, { callTimeoutMaxMs: CALL_TIMEOUT_MAX_MS });
  const warnings = lintManifest(manifest.capabilities);
  return [
    ...items,
    ...warnings.map((detail) => ({ name: 'Meaning', verdict: 'warning', detail }) as const),
  ];
}
