import { createHash } from 'node:crypto';
import { canonicalize, type ConfirmationPreview, parseJson } from '@agent-reach/core';

/**
 * Everything that somebody says yes to. Whatever of it differs is another thing, for which nobody
 * said yes.
 */
export interface Subject {
  kind: 'call' | 'task';
  tenant: string;
  principal: string;
  capability: string;
  /** Who would do it; of a task, whom it was asked for. */
  agent: string | undefined;
  /** Hash of what that agent declares of the capability, so that another meaning is another subject. */
  contract: string | undefined;
  params: unknown;
  idempotency_key: string | undefined;
  on_behalf_of: string | undefined;
  policy_version: number;
}

/** A subject as the bytes of which both the digest and the preview are made. */
export interface SubjectBytes {
  text: string;
  digest: string;
}

/** The bytes of a subject, in the one form that equal subjects have. */
export function bytesOf(subject: Subject): SubjectBytes {
  const given = Object.entries(subject).filter(([, value]) => value !== undefined);
  const text = canonicalize(Object.fromEntries(given));
  const digest = createHash('sha256').update(`reach.confirm.v1\n${text}`).digest('base64url');
  return { text, digest };
}

/** Masks what must not be shown of parameters. */
export type Mask = (params: unknown) => unknown;

/** Deeper than any request that the door lets in. */
const DEPTH_MAX = 256;

/** What a person is shown of a subject: read back from the very bytes that were hashed. */
export function previewOf({ text }: SubjectBytes, mask: Mask): ConfirmationPreview {
  const read = parseJson(text, { depthMax: DEPTH_MAX }) as ConfirmationPreview & Partial<Subject>;
  const { kind, principal, capability, agent, params, idempotency_key, on_behalf_of } = read;
  return {
    kind,
    principal,
    capability,
    ...(agent === undefined ? {} : { agent }),
    params: mask(params),
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    ...(on_behalf_of === undefined ? {} : { on_behalf_of }),
  };
}
