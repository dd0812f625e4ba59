/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/**
 * Secrets that are known by their look: ours, those of well-known services, tokens and keys in their usual
 * forms, and passwords in addresses. Each alternative runs in time linear in the text, and none eats a
 * quotation mark, so that a line of JSON stays one.
 */
const SHAPES = new RegExp(
  [
    // Signing secrets, API tokens, and the seal of a lease.
    String.raw`\br[st]k_[\w-]{8,}`,
    String.raw`~\d{1,15}~[\w.:-]{1,128}~[\w-]{22}(?![\w-])`,
    String.raw`\bwhsec_[\w+/=-]{8,}`,
    // JSON Web Tokens, and our call tokens, which begin alike.
    String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}`,
    String.raw`\beyJ[\w-]{256,}`,
    String.raw`-----BEGIN [A-Z0-9 ]{1,40}-----(?:[^"\\-]|\\[^"]|-(?!----END))*(?:-----END [A-Z0-9 ]{1,40}-----)?`,
    String.raw`\b(?:[Bb]earer|BEARER|Negotiate)\s{1,3}[\w+/=.~-]{8,}`,
    String.raw`\b(?:[Bb]asic|BASIC)\s{1,3}(?=[\w+/]{0,64}[A-Z0-9=])[\w+/=]{8,}`,
    String.raw`\b[sr]k[-_](?=[\w-]{0,64}\d)[\w-]{16,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bya29\.[\w-]{16,}`,
    String.raw`\b(?:npm|hf)_[A-Za-z0-9]{30,}`,
    String.raw`\bhv[sbr]\.[\w-]{20,}`,
    String.raw`\bSG\.[\w-]{16,}\.[\w-]{16,}`,
    String.raw`(?<=:\/\/)[^\s:@/"\\]{0,128}:[^\s@/"\\]{1,256}(?=@)`,
  ].join('|'),
  'g',
);

const NAMES = String.raw`(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|authorization)`;

/** JSON within a text, and what a form or a query carries: `"password": "…"`, `password=…`. */
const NAMED = new RegExp(
  String.raw`(${NAMES}\\{0,7}["']\s{0,3}:\s{0,3}\\{0,7}["'])(?:[^"'\\]|\\+[^"'\\])+|(${NAMES}=)[^\s"'\\,;&}\])]+`,
  'gi',
);

/** Shorter than the shortest of them. */
const CHARS_MIN = 8;
/**
 * What each of the shapes begins with, or has somewhere. Most texts of an audit have none of it, and
 * looking for that is a fifth of looking for all shapes.
 */
const SHAPE_MARK =
  /[_~]|eyJ|-----BEGIN|[rs]k-|glpat-|xox|A[KS]IA|AIza|ya29\.|hv[sbr]\.|SG\.|:\/\/|(?:earer|EARER|egotiate|asic|ASIC)\s/;
/** What stands between a name and its value. */
const NAME_MARK = /[:=]/;

/** A text without the secrets that are known by their look. Secrets that look like nothing stay. */
export function scrubText(text: string): string {
  if (text.length < CHARS_MIN) return text;
  const shapeless = SHAPE_MARK.test(text) ? text.replace(SHAPES, REDACTED) : text;
  return NAME_MARK.test(shapeless) ? shapeless.replace(NAMED, `$1$2${REDACTED}`) : shapeless;
}

/** Words that make a name that of a secret, whatever is behind it. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'credential',
  'credentials',
  'authorization',
  'cookie',
  'cookies',
  'apikey',
  'jwt',
  'otp',
  'cvv',
  'cvc',
  'signature',
]);

/** Names of two words, one after the other. */
const SECRET_PAIRS: ReadonlySet<string> = new Set([
  'api key',
  'private key',
  'access key',
  'signing key',
  'encryption key',
  'shared key',
  'master key',
  'confirmation code',
  'security code',
  'verification code',
]);

/** Chinese is written without blanks, so these are looked for anywhere. */
const SECRET_CHINESE = /密码|口令|密钥|私钥|令牌|验证码/;

/** Of texts and lists: `max_tokens: 512` is a figure. */
const TOKEN_WORDS: ReadonlySet<string> = new Set(['token', 'tokens']);

/** Names come from manifests and callers: the same few, but anybody may send a new one. */
const KNOWN_MAX = 2_000;
const NAME_CHARS_MAX = 128;
const known = new Map<string, 'always' | 'unless-figure' | 'no'>();

/** Whether what stands under a name is a secret by that name: in snake, camel or kebab case. */
export function isSecretName(name: string, value: unknown): boolean {
  let verdict = known.get(name);
  if (verdict === undefined) {
    verdict = judge(name.slice(0, NAME_CHARS_MAX));
    if (known.size >= KNOWN_MAX) known.clear();
    if (name.length <= NAME_CHARS_MAX) known.set(name, verdict);
  }
  if (verdict === 'no' || value === null || value === undefined) return false;
  if (typeof value === 'boolean') return false;
  return verdict === 'always' || typeof value !== 'number';
}

function judge(name: string): 'always' | 'unless-figure' | 'no' {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const words = parts.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const hasPair = words.some((word, n) => SECRET_PAIRS.has(`${word} ${words[n + 1] ?? ''}`));
  if (hasPair || SECRET_CHINESE.test(name)) return 'always';
  if (words.some((word) => SECRET_WORDS.has(word))) return 'always';
  return words.some((word) => TOKEN_WORDS.has(word)) ? 'unless-figure' : 'no';
}
