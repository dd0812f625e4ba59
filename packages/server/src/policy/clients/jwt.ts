import { parseJson, ReachError } from '@agent-reach/core';
import { compactVerify, type CompactJWSHeaderParameters } from 'jose';
import { IssuerKeys, type IssuerKeysPorts, NoKeys } from './issuer-keys.ts';
import type { IdentityRow, OidcSettings } from './oidc-options.ts';

/** How far the issuer's clock and ours may be apart, seconds. */
const SKEW_S = 60;
/** Longer than tokens with a few hundred groups, and shorter than a head of a request may be. */
const CHARS_MAX = 12_288;
const DEPTH_MAX = 16;
const RETRY_AFTER_MS = 5_000;

/** Says as which client somebody comes who shows an issuer's token. */
export interface JwtIdentity {
  /**
   * The client's id. Throws `unauthenticated` for a token that does not hold, and `identity-unmapped`
   * for one that holds and is nobody's.
   */
  clientOf(token: string): Promise<string>;
}

/** Whether a bearer token is of the form of a JWT. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** The identities of one issuer. */
export function jwtIdentity(settings: OidcSettings, ports: IssuerKeysPorts): JwtIdentity {
  const keys = new IssuerKeys(settings, ports);
  return {
    async clientOf(token) {
      const { header, claims } = await verified(token, keys, { settings, ports });
      demandFor(header, claims, settings, ports.clock.now() / 1_000);
      const row = settings.map.find((one) => fits(one, claims));
      if (row !== undefined) return row.client;
      throw new ReachError('identity-unmapped', 'No row of auth.oidc.map is about this identity.');
    },
  };
}

interface Verified {
  header: CompactJWSHeaderParameters;
  claims: Readonly<Record<string, unknown>>;
}

async function verified(
  token: string,
  keys: IssuerKeys,
  { settings, ports }: { settings: OidcSettings; ports: IssuerKeysPorts },
): Promise<Verified> {
  if (token.length > CHARS_MAX) throw untrue();
  try {
    const { algorithms } = settings;
    const { payload, protectedHeader } = await compactVerify(token, keys.find, { algorithms });
    const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    const claims = parseJson(text, { depthMax: DEPTH_MAX });
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) throw untrue();
    return { header: protectedHeader, claims: claims as Record<string, unknown> };
  } catch (error) {
    if (error instanceof NoKeys) {
      const facts = { retryable: true, retry_after_ms: RETRY_AFTER_MS };
      throw new ReachError('unauthenticated', error.message, facts, error);
    }
    // One answer for all that is wrong with it; the log says what.
    ports.log.debug({ err: error }, 'a token does not verify');
    throw untrue();
  }
}

function untrue(): ReachError {
  return new ReachError('unauthenticated', 'The bearer token does not verify.');
}

/** What a token that its issuer signed must say, to be one for this gateway and now. */
function demandFor(
  header: CompactJWSHeaderParameters,
  claims: Verified['claims'],
  { issuer, audience, types }: OidcSettings,
  nowS: number,
): void {
  if (claims['iss'] !== issuer) throw unfit('another issuer made it');
  if (!listOf(claims['aud']).includes(audience)) throw unfit('it is for another audience');
  const type = typeOf(header.typ);
  if (!types.some((one) => typeOf(one) === type)) throw unfit(`its typ is ${type || 'not given'}`);
  const { exp, nbf } = claims;
  if (typeof exp !== 'number' || exp + SKEW_S <= nowS) throw unfit('it has expired');
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf - SKEW_S > nowS)) {
    throw unfit('it does not hold yet');
  }
}

/** Told to whoever shows what the issuer signed: he may know why it does not do. */
function unfit(why: string): ReachError {
  return new ReachError('unauthenticated', `The bearer token is not one for here and now: ${why}.`);
}

/** Media types may be written without their first half, in any letters. */
function typeOf(typ: unknown): string {
  const text = typeof typ === 'string' ? typ.slice(0, 40).toLowerCase() : '';
  return text.replace(/^application\//, '');
}

function fits({ claim, equals }: IdentityRow, claims: Verified['claims']): boolean {
  return Object.hasOwn(claims, claim) && listOf(claims[claim]).includes(equals);
}

function listOf(claim: unknown): readonly unknown[] {
  return Array.isArray(claim) ? claim : [claim];
}
