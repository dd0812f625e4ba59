/**
 * The signature profile `reach-v1`: RFC 9421 with HMAC-SHA256 over an RFC 9530 digest of the body,
 * with every freedom of the two standards taken away that a request does not need. What is not
 * listed here is an error.
 */
export const PROFILE = {
  label: 'reach',
  tag: 'reach-v1',
  /** How long a signature may be good for, seconds. */
  lifeMaxS: 300,
  /** How far the signer's clock may be ahead of the verifier's, seconds. */
  aheadMaxS: 60,
  /** How old a signature may be, seconds. */
  ageMaxS: 300,
} as const;

/** The headers that carry a signature. Each may come once. */
export const SIGNATURE_HEADERS = {
  input: 'signature-input',
  signature: 'signature',
  digest: 'content-digest',
} as const;

/** Covered in every request, in this order. The digest covers the body. */
export const ALWAYS_COVERED = [
  '@method',
  '@authority',
  '@path',
  '@query',
  SIGNATURE_HEADERS.digest,
] as const;

/** Covered when there is a body: how it is read depends on it. */
export const BODY_TYPE = 'content-type';

/** Covered wherever they are, in this order: each changes what is done, or in whose name. */
export const COVERED_WHEN_PRESENT = [
  'idempotency-key',
  'reach-tenant',
  'reach-on-behalf-of',
  'reach-deadline-ms',
  'reach-call-token',
] as const;

/**
 * Covered as well in what a gateway sends to an agent, after the others: there they say who calls, for
 * whom, and to which process it is sent. In a request to a gateway nobody believes them.
 */
export const PUSH_COVERED = [
  'reach-caller',
  'reach-user-stamp',
  'reach-source-id',
  'reach-request-id',
  'reach-instance',
  'reach-addr-version',
  'reach-task-id',
  'reach-lease',
] as const;

/** Which way a message goes: to a gateway, or from one to an agent. */
export type Direction = 'request' | 'push';

/** How long a nonce must be remembered: as long as its signature may verify anywhere, and more. */
export const NONCE_TTL_MS = 360_000;
