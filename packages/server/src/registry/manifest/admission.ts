import type { Capability, Issue, Manifest } from '@agent-reach/core';
import { alike, pairsOf } from './alike.ts';

/** What the operator demands of capabilities. */
export interface AdmissionRules {
  /** `all` also refuses capabilities that declare no effect. */
  idempotency: 'writes' | 'all';
}

/** Characters; a shorter description tells a reader nothing. */
const DESCRIPTION_CHARS_MIN = 8;
/** Fifty copies of one description make 1 225 pairs. */
const WARNINGS_MAX = 8;
/** Two descriptions that share this much of their word pairs are one description to most readers. */
const ALIKE_MIN = 0.7;

/**
 * Whether a manifest may join, and what its owner should know though it may. A write that
 * says nothing of idempotency would run twice one day: callers repeat what was not answered.
 */
export function admitManifest(
  manifest: Manifest,
  rules: AdmissionRules,
): { refusals: Issue[]; warnings: string[] } {
  const refusals: Issue[] = [];
  const warnings: string[] = [];
  for (const [i, capability] of manifest.capabilities.entries()) {
    const at = manifest.kind === 'connector' ? '#' : `#/capabilities/${i}`;
    const refusal = effectFault(capability, rules, at);
    if (refusal !== undefined) refusals.push(refusal);
    warnings.push(...warningsOf(capability));
  }
  warnings.push(...confusable(manifest.capabilities));
  return { refusals, warnings };
}

function effectFault(
  { name, effect, idempotency }: Capability,
  rules: AdmissionRules,
  at: string,
): Issue | undefined {
  if (effect === undefined && rules.idempotency === 'all') {
    return {
      pointer: `${at}/effect`,
      detail: `is missing: this gateway admits ${name} only with read, idempotent_write or write`,
    };
  }
  const isWrite = effect === 'write' || effect === 'idempotent_write';
  if (isWrite && idempotency === undefined) {
    return {
      pointer: `${at}/idempotency`,
      detail: `is missing: ${name} writes, so it says how one key has one effect: gateway, key or natural`,
    };
  }
  return undefined;
}

function warningsOf(capability: Capability): string[] {
  const { name, effect, description, input, output } = capability;
  const warnings: string[] = [];
  if (effect === undefined) {
    warnings.push(
      `${name} declares no effect: it is never repeated unless it provably did not run. Say read, idempotent_write or write.`,
    );
  }
  if (description.trim().length < DESCRIPTION_CHARS_MIN) {
    warnings.push(`${name} has no description that a caller could choose it by.`);
  }
  for (const [side, schema] of Object.entries({ input, output })) {
    if (Object.keys(schema).length > 0) continue;
    warnings.push(`${name} declares no ${side} schema: anything is let through.`);
  }
  return warnings;
}

/** Two descriptions that read alike are told apart by nobody, and by no matcher. */
function confusable(capabilities: readonly Capability[]): string[] {
  const warnings: string[] = [];
  const described = capabilities.map(({ name, description }) => ({
    name,
    pairs: pairsOf(description),
  }));
  for (const [i, one] of described.entries()) {
    for (const other of described.slice(i + 1)) {
      if (alike(one.pairs, other.pairs) < ALIKE_MIN) continue;
      warnings.push(
        `${one.name} and ${other.name} are described almost alike; say in not_for what each does not do.`,
      );
    }
  }
  if (warnings.length <= WARNINGS_MAX) return warnings;
  return [...warnings.slice(0, WARNINGS_MAX), `and ${warnings.length - WARNINGS_MAX} more pairs.`];
}
