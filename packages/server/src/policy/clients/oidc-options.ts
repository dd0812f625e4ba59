import { list, type Option, text, type Values } from '@agent-reach/core/kernel';

/** Who comes in as which client: the first row that a token fits. */
export interface IdentityRow {
  /** A claim of the token, by its whole name. */
  claim: string;
  /** What the claim is, or what one of its entries is where it is a list. */
  equals: string;
  /** A client of this gateway. */
  client: string;
}

/** Looked through for each request with a token. */
const ROWS_MAX = 1_000;
const TEXT_MAX = 512;

/** Algorithms that a token may be signed by. All have a key that signs and another that verifies. */
export const JWT_ALGORITHMS = ['EdDSA', 'ES256', 'RS256', 'PS256'] as const;

/** Settings of tokens that somebody else issues. */
export const OIDC_OPTIONS = {
  issuer: text({
    key: 'auth.oidc.issuer',
    default: '',
    doc: 'Whose tokens (JWT) are taken beside those of the gateway: the URL that stands in `iss`, letter by letter. https, or http on loopback. Empty: nobody’s.',
  }),
  audience: text({
    key: 'auth.oidc.audience',
    default: '',
    doc: 'What must stand in `aud`: the name under which the issuer knows this gateway, best its public URL. A token for somebody else is refused.',
  }),
  jwks: text({
    key: 'auth.oidc.jwks',
    default: '',
    doc: 'Where the issuer’s keys are: a URL, or a file. Empty: as its `/.well-known/openid-configuration` says. URLs are fetched as `egress.allow` lets it; kept for 10 minutes, for an hour where the issuer does not answer, and fetched anew for a key that is not there, every 30 s at most.',
  }),
  algorithms: list({
    key: 'auth.oidc.algorithms',
    default: [...JWT_ALGORITHMS],
    doc: 'By which algorithms tokens may be signed, of EdDSA, ES256, RS256 and PS256. Others are refused.',
  }),
  types: list({
    key: 'auth.oidc.types',
    default: ['at+jwt'],
    doc: 'What may stand in `typ` of a token’s header. Many issuers write `JWT` into access tokens: list it as well, and be sure that the audience of ID tokens is another one.',
  }),
  map: identityRows({
    key: 'auth.oidc.map',
    default: [],
    doc: 'Who is which client: rows of `claim`, `equals` and `client`, the first that fits (as JSON in the environment). A claim that is a list fits by one of its entries. Nobody is a client by a claim alone, and who fits no row is refused (403).',
  }),
} as const;

/** The values of these settings. */
export type OidcSettings = Values<typeof OIDC_OPTIONS>;

function identityRows(about: {
  key: string;
  default: IdentityRow[];
  doc: string;
}): Option<IdentityRow[]> {
  return {
    ...about,
    form: `a list of {claim, equals, client}, ${ROWS_MAX} at most`,
    read(raw) {
      const rows = typeof raw === 'string' ? jsonOf(raw) : raw;
      if (!Array.isArray(rows) || rows.length > ROWS_MAX || !rows.every(isRow)) return undefined;
      return rows.map(({ claim, equals, client }) => ({ claim, equals, client }));
    },
  };
}

function isRow(row: unknown): row is IdentityRow {
  if (typeof row !== 'object' || row === null || Object.keys(row).length !== 3) return false;
  const { claim, equals, client } = row as Partial<Record<keyof IdentityRow, unknown>>;
  return [claim, equals, client].every(
    (one) => typeof one === 'string' && one !== '' && one.length <= TEXT_MAX,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
