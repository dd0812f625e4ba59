import assert from 'node:assert/strict';
import { type ErrorCode, type Issue, ReachError } from '@agent-reach/core';
import { type Normalised, normaliseManifest } from '../normalise.ts';

/** Reads a body under the default limits. */
export function read(body: unknown): Normalised {
  return normaliseManifest(body, { callTimeoutMaxMs: 60_000 });
}

/** A manifest of form A with one capability, and what a test changes in either. */
export function formA(capability: object = {}, agent: object = {}): Record<string, unknown> {
  return { name: 'agent', capabilities: [{ name: 'query', ...capability }], ...agent };
}

/** Code and faults of a body that must be refused. */
export function refusal(body: unknown): { code: ErrorCode; errors: Issue[] } {
  try {
    read(body);
  } catch (error) {
    if (ReachError.is(error)) return { code: error.code, errors: error.facts.errors ?? [] };
    throw error;
  }
  return assert.fail('The manifest was not refused.');
}

/** Code and first fault of a refusal, as one line. */
export function refusalOf(body: unknown): string {
  const { code, errors } = refusal(body);
  return `${code} ${errors[0]?.pointer} ${errors[0]?.detail}`;
}
