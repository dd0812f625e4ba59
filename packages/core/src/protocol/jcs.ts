import canonicalizeJson from 'canonicalize';

/**
 * A JSON value in the one form of RFC 8785 (JCS): equal values give equal text, whatever the
 * order of their members. What fingerprints and digests are taken of.
 */
export function canonicalize(value: unknown): string {
  return canonicalizeJson(value) ?? 'null';
}
