import { readSecret, sign, SECRET_PREFIX, type SigningKey, TOKEN_PREFIX } from '@agent-reach/core';
import type { ExchangeRequest } from './exchange.ts';
import type { Ports } from './ports.ts';

/** By what a client shows who it is: a key that signs each request, or a token that goes with it. */
export type Credentials =
  | {
      clientId: string;
      /** Which of the client's keys it is: `k1`, `k2`, … */
      kid: string;
      /** `rsk_…`, as it was shown when the key was made. */
      secret: string;
    }
  | {
      /**
       * `rtk_…`, or an access token (JWT) of an issuer that the gateway believes; a function for one
       * that is made anew now and then, asked for each request. Whoever sees it can use it: over a
       * network only with TLS.
       */
      token: string | (() => string);
    };

/** What of a request its credential depends on. */
export type Unsigned = Pick<ExchangeRequest, 'method' | 'path' | 'headers' | 'body'> & {
  /** Host and port, as the `Host` header will say them. */
  host: string;
};

/** Makes the headers by which one sending of a request shows who sends it. */
export type Prover = (request: Unsigned) => Record<string, string>;

const NONCE_BYTES = 16;

/**
 * Makes the prover of these credentials. Throws a `TypeError` for what can be none: better at once
 * than with every request.
 */
export function proverOf(credentials: Credentials | undefined, ports: Ports): Prover {
  if (credentials === undefined) return () => ({});
  if ('token' in credentials) {
    const { token } = credentials;
    if (typeof token === 'function') return () => bearer(token());
    const headers = bearer(token);
    return () => headers;
  }
  const key = readKey(credentials);
  return ({ method, path, headers, body, host }) => {
    const message = {
      method,
      target: path,
      authority: host,
      rawHeaders: Object.entries(headers).flat(),
      body: Buffer.from(body ?? ''),
    };
    const nonce = Buffer.from(ports.random.bytes(NONCE_BYTES)).toString('base64url');
    return sign(message, key, { nowMs: ports.clock.now(), nonce });
  };
}

/**
 * The credentials that the environment says: `REACH_CLIENT_ID` with `REACH_KEY` (`k1:rsk_…`), or
 * `REACH_TOKEN`; undefined: none. Throws a `TypeError` when it says half of one, or both.
 */
export function credentialsIn(
  env: Readonly<Record<string, string | undefined>>,
): Credentials | undefined {
  const clientId = env['REACH_CLIENT_ID'] || undefined;
  const key = env['REACH_KEY'] || undefined;
  const token = env['REACH_TOKEN'] || undefined;
  if (clientId === undefined && key === undefined) return token === undefined ? token : { token };
  if (token !== undefined) {
    throw new TypeError('Say REACH_KEY or REACH_TOKEN, not both: a request shows one of them.');
  }
  if (clientId === undefined || key === undefined) {
    throw new TypeError('REACH_CLIENT_ID and REACH_KEY belong together: say both.');
  }
  const at = key.indexOf(':');
  if (at <= 0) throw new TypeError('REACH_KEY is written as kid and secret: k1:rsk_…');
  return { clientId, kid: key.slice(0, at), secret: key.slice(at + 1) };
}

/** The key that these credentials sign with; undefined: a token, or none. */
export function signingKeyOf(credentials: Credentials | undefined): SigningKey | undefined {
  return credentials === undefined || 'token' in credentials ? undefined : readKey(credentials);
}

// None of these errors repeats what was given: it may be a secret.

function readKey({
  clientId,
  kid,
  secret,
}: Extract<Credentials, { clientId: string }>): SigningKey {
  const bytes = readSecret(secret);
  if (bytes === undefined) {
    throw new TypeError(`The secret of ${clientId} must be ${SECRET_PREFIX} and 43 characters.`);
  }
  if (!/^[a-z0-9][a-z0-9._-]{0,127}$/.test(clientId) || !/^[a-z0-9]{1,32}$/.test(kid)) {
    throw new TypeError('The credentials name a client and its key: clientId shop, kid k1.');
  }
  return { clientId, kid, secret: bytes };
}

function bearer(token: string): { authorization: string } {
  const isOurs = token.startsWith(TOKEN_PREFIX) && /^[\x21-\x7e]+$/.test(token);
  const isJwt = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
  if (isOurs || isJwt) return { authorization: `Bearer ${token}` };
  throw new TypeError(`The token must begin with ${TOKEN_PREFIX}, or be a JWT.`);
}
