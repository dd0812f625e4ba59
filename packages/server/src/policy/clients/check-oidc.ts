import type { Issue } from '@agent-reach/core';
import { isSafeUrl, isUrl } from './issuer-keys.ts';
import { JWT_ALGORITHMS, type OidcSettings } from './oidc-options.ts';

const NOT_SAFE = 'must be a URL with https, or with http on loopback';

/** What is wrong with the settings of an issuer, by their keys. Nothing is wrong with none. */
export function faultsOfOidc(oidc: OidcSettings): Issue[] {
  const { issuer, audience, jwks, algorithms, types, map } = oidc;
  if (issuer === '') return [];
  const known: readonly string[] = JWT_ALGORITHMS;
  const foreign = algorithms.filter((one) => !known.includes(one));
  const faults: Record<string, string | false> = {
    issuer: !isSafeUrl(issuer) && NOT_SAFE,
    audience: audience === '' && 'must say what stands in aud: a token for others is none for us',
    jwks: isUrl(jwks) && !isSafeUrl(jwks) && NOT_SAFE,
    algorithms:
      foreign.length > 0
        ? `may hold ${JWT_ALGORITHMS.join(', ')}, and holds ${foreign.join(', ')}`
        : algorithms.length === 0 && 'names none',
    types: types.length === 0 && 'names none',
    map: map.length === 0 && 'has no row: nobody could come in by a token',
  };
  return Object.entries(faults).flatMap(([name, detail]) =>
    detail === false ? [] : [{ pointer: `#/auth.oidc.${name}`, detail }],
  );
}
