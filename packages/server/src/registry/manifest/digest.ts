import { createHash } from 'node:crypto';
import { canonicalize, type Manifest } from '@agent-reach/core';

/** SHA-256 over the canonical form: equal manifests are equal, whatever order they were written in. */
export function digestManifest(manifest: Manifest): string {
  return createHash('sha256').update(canonicalize(manifest)).digest('base64url');
}
