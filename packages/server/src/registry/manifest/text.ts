import { hash } from 'node:crypto';
import { escape, type Issue } from '@agent-reach/core';

/**
 * Characters that a reader cannot see and a model can: controls, bidirectional overrides, zero
 * width, fillers, tags. In a name they forge another's; in a description they speak to a
 * model behind the operator's back. Line breaks and tabs are allowed in longer texts.
 */
const INVISIBLE = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]', // Controls, but for tab and line ends.
    '[\\u200e\\u200f\\u061c\\u202a-\\u202e\\u2066-\\u2069]', // Direction.
    '[\\u00ad\\u034f\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb]', // No width.
    '[\\u2028\\u2029]', // Line ends that only some programs see.
    '[\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]', // Fillers.
    '[\\u{e0000}-\\u{e007f}]', // Tags: ASCII in invisible ink.
  ].join('|'),
  'u',
);

const LINE_BREAK = /[\t\n\r]/;

/** The first invisible character of a text, as a fault; undefined when there is none. */
export function invisibleFault(text: string, pointer: string): Issue | undefined {
  return forbidden(INVISIBLE, text, pointer, 'which cannot be seen');
}

/** A fault of a text that must stand on one line: a name, a title, a tag. */
export function lineFault(text: string, pointer: string): Issue | undefined {
  return forbidden(LINE_BREAK, text, pointer, 'but must stand on one line');
}

function forbidden(what: RegExp, text: string, pointer: string, why: string): Issue | undefined {
  const found = what.exec(text);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return { pointer, detail: `has U+${code} at ${found.index}, ${why}` };
}

const ISSUES_MAX = 8;

/**
 * The invisible characters in all keys and texts of a value, schemas and metadata included, at
 * most 8. Level by level: the value may be nested as deep as its reader let it.
 */
export function invisibleFaults(root: unknown): Issue[] {
  const issues: Issue[] = [];
  let level: { value: unknown; at: string }[] = [{ value: root, at: '#' }];
  while (level.length > 0 && issues.length < ISSUES_MAX) {
    const below: typeof level = [];
    for (const { value, at } of level) {
      const fault = typeof value === 'string' ? invisibleFault(value, at) : undefined;
      if (fault !== undefined) issues.push(fault);
      if (typeof value !== 'object' || value === null) continue;
      for (const [key, member] of Object.entries(value)) {
        const keyFault = invisibleFault(key, at);
        if (keyFault !== undefined) issues.push(keyFault);
        below.push({ value: member as unknown, at: `${at}/${escape(key)}` });
      }
    }
    level = below;
  }
  return issues.slice(0, ISSUES_MAX);
}

const SLUG_MAX = 128;

/**
 * The ASCII id of a name: small letters, and a dash for each run of what an id cannot hold.
 *
 * A name with any other script (订单智能体) has no slug that somebody could guess, and is not
 * transliterated: it becomes `agent-` and eight hex digits of the SHA-256 of the name in NFC.
 * Stable, since it depends on the name alone; among the 500 agents of a full tenant two names
 * collide with a chance of 3 in 100 000. Who minds says `agent_id`.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^[-._]+|[-._]+$/g, '');
  return slug === '' || !isAscii(name) ? hashed('agent', name) : slug;
}

/** The ASCII name of a capability, by the same rule; capitals stay, for handlers are named so. */
export function capabilityNameOf(name: string): string {
  const slug = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^[-._]+|[-._]+$/g, '');
  return slug === '' || !isAscii(name) ? hashed('capability', name) : slug;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function hashed(prefix: string, name: string): string {
  return `${prefix}-${hash('sha256', name.normalize('NFC'), 'hex').slice(0, 8)}`;
}
