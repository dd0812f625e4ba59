/**
 * A pace that was kept, or not, as headers tell it (draft-ietf-httpapi-ratelimit-headers): of a quota
 * `q` in `w` seconds `r` are left, and in `t` seconds there is more.
 */
export interface RateTold {
  policy: string;
  q: number;
  w: number;
  r: number;
  t: number;
}

/** The values of `RateLimit-Policy` and `RateLimit`. */
export function rateHeaders(told: readonly RateTold[]): { policy: string; limit: string } {
  return {
    policy: told.map(({ policy, q, w }) => `"${policy}";q=${q};w=${w}`).join(', '),
    limit: told.map(({ policy, r, t }) => `"${policy}";r=${r};t=${t}`).join(', '),
  };
}
