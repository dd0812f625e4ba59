import { createHmac } from 'node:crypto';
import type { Random } from '@agent-reach/core/kernel';

/** What was presented: which confirmation, and its code if it has one. */
export interface PresentedCode {
  id: string;
  code: string | undefined;
}

const CODE_BYTES = 16;
const FORM = /^(cfm_[0-9a-z]{26})(?:\.([\x21-\x7e]{1,128}))?$/;

/** Reads `id` or `id.code`; undefined: it is neither. */
export function readCode(text: string): PresentedCode | undefined {
  const [, id, code] = FORM.exec(text) ?? [];
  return id === undefined ? undefined : { id, code };
}

/** A code of 128 bits of chance. */
export function newCode(random: Random): string {
  return Buffer.from(random.bytes(CODE_BYTES)).toString('base64url');
}

/**
 * What is stored of a code. Keyed, so that neither who reads the store nor who measures how long a
 * comparison takes learns anything of it, not even of one that an agent made of six digits.
 */
export function hashCode({ id, code }: { id: string; code: string }, key: Uint8Array): string {
  const text = `reach.confirmation-code.v1\n${id}\n${code}`;
  return createHmac('sha256', key).update(text).digest('base64url');
}
