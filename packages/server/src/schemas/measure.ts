import { escape, type Issue } from '@agent-reach/core';
import { LIMITS } from './limits.ts';

/**
 * JSON nesting that no schema within `LIMITS.depth` needs: a level of schemas is at most two of
 * JSON (`properties`, then the name), and a value may hang on the last of them.
 */
const JSON_DEPTH_MAX = 2 * LIMITS.depth + LIMITS.valueDepth;

/**
 * Why a value is too much to be read as a schema, or no JSON at all; none when it may be read.
 * Looks at no more of it than the limits allow, so a bomb costs what an honest schema does.
 */
export function measureJson(root: object, pointer: string): Issue | undefined {
  let nodes = 0;
  const waiting: { value: object; at: string; depth: number }[] = [
    { value: root, at: pointer, depth: 1 },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, at, depth } = next;
    if (depth > JSON_DEPTH_MAX) {
      return { pointer: at, detail: `is nested ${depth} levels deep, at most ${JSON_DEPTH_MAX}` };
    }
    // Object.entries of a huge array would be the bomb itself, so its length is judged first.
    nodes += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (nodes > LIMITS.bytes) return tooLarge(pointer, `more than ${LIMITS.bytes}`);
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      const below = `${at}/${escape(name)}`;
      const fault = faultOf(name, member);
      if (fault !== undefined) return { pointer: below, detail: fault };
      if (typeof member === 'object' && member !== null) {
        waiting.push({ value: member, at: below, depth: depth + 1 });
      }
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(root));
  return bytes > LIMITS.bytes ? tooLarge(pointer, String(bytes)) : undefined;
}

function tooLarge(pointer: string, bytes: string): Issue {
  return { pointer, detail: `has ${bytes} bytes, at most ${LIMITS.bytes}` };
}

function faultOf(name: string, member: unknown): string | undefined {
  if (name === '__proto__') return 'is a name that cannot be kept safely';
  if (typeof member === 'string') {
    return member.isWellFormed() ? undefined : 'has half a surrogate pair';
  }
  if (typeof member === 'number') {
    return Number.isFinite(member) ? undefined : 'is not a finite number';
  }
  const isJson = typeof member === 'boolean' || typeof member === 'object';
  return isJson ? undefined : `is a ${typeof member}, which JSON has not`;
}
