import { issuesOf } from '@agent-reach/core';

/** The schema of manifests that this gateway knows whole. */
const KNOWN_VERSION = 1;
const UNKNOWN = 'is not a known field';
/** More than this and the manifest is of another kind, not of a newer version. */
const DROPPED_MAX = 32;

/**
 * A manifest of a newer schema may say what this gateway does not know: an agent is never turned
 * away for being ahead. Those fields are taken out of a copy, and each is named in a warning.
 * A manifest of our own version is left as it is, so that a misspelt field is refused.
 */
export function dropUnknown(
  schema: Parameters<typeof issuesOf>[0],
  body: Record<string, unknown>,
): { value: Record<string, unknown>; warnings: string[] } {
  const version = body['schema_version'] ?? body['manifest_schema_version'] ?? KNOWN_VERSION;
  const warnings: string[] = [];
  if (typeof version !== 'number' || version <= KNOWN_VERSION) return { value: body, warnings };
  const value = structuredClone(body);
  for (let i = 0; i < DROPPED_MAX; i++) {
    const unknown = issuesOf(schema, value).find((issue) => issue.detail === UNKNOWN);
    if (unknown === undefined) break;
    drop(value, unknown.pointer);
    warnings.push(`${unknown.pointer} is of manifest schema ${version} and is not used here.`);
  }
  return { value, warnings };
}

function drop(root: Record<string, unknown>, pointer: string): void {
  const path = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = path.pop() ?? '';
  let holder: Record<string, unknown> | undefined = root;
  for (const name of path) holder = holder?.[name] as Record<string, unknown> | undefined;
  if (holder !== undefined) delete holder[last];
}
