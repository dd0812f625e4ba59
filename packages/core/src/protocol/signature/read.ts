import { ReachError } from '../errors.ts';
import { PROFILE } from './profile.ts';

/** What a `Signature-Input` of the profile says. */
export interface SignatureInput {
  covered: string[];
  /** The inner list with its parameters exactly as sent: the last line of the base. */
  params: string;
  /** Epoch seconds. */
  created: number;
  expires: number;
  nonce: string;
  clientId: string;
  kid: string;
}

/** Longer than any signature of the profile, and short enough to be read by a pattern. */
const INPUT_CHARS_MAX = 1_024;

const INPUT = new RegExp(`^${PROFILE.label}=(\\(("[a-z@-]+"(?: "[a-z@-]+"){0,23})\\)(;.+))$`);
const SIGNATURE = new RegExp(`^${PROFILE.label}=:([A-Za-z0-9+/]{43}=):$`);
const DIGEST = /^sha-256=:([A-Za-z0-9+/]{43}=):$/;

/** The parameters, each in the one form it may have. They may come in any order, each once. */
const FORMS: Readonly<Record<string, RegExp>> = {
  created: /^\d{1,15}$/,
  expires: /^\d{1,15}$/,
  nonce: /^"[A-Za-z0-9_-]{22,64}"$/,
  keyid: /^"[a-z0-9][a-z0-9._-]{0,127}:[a-z0-9]{1,32}"$/,
  tag: new RegExp(`^"${PROFILE.tag}"$`),
};

/**
 * Reads `Signature-Input`. Structured fields allow much more than the profile does, and their
 * parsers forgive some of it (a fraction for an integer, the last of two members): here one pattern
 * is all that there is.
 */
export function readInput(text: string): SignatureInput {
  const [, params = '', list = '', rest = ''] =
    (text.length <= INPUT_CHARS_MAX ? INPUT.exec(text) : null) ?? [];
  if (params === '') throw invalid('Signature-Input is not of the profile reach-v1');
  const said = new Map<string, string>();
  for (const part of rest.slice(1).split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0));
    const value = part.slice(at + 1);
    const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (form === undefined || said.has(name) || !form.test(value)) {
      throw invalid(`Signature-Input says ${JSON.stringify(part.slice(0, 40))}`);
    }
    said.set(name, value);
  }
  const missing = Object.keys(FORMS).find((name) => !said.has(name));
  if (missing !== undefined) throw invalid(`Signature-Input does not say ${missing}`);
  const quoted = (name: string) => (said.get(name) ?? '').slice(1, -1);
  const [clientId = '', kid = ''] = quoted('keyid').split(':');
  return {
    covered: list.slice(1, -1).split('" "'),
    params,
    created: Number(said.get('created')),
    expires: Number(said.get('expires')),
    nonce: quoted('nonce'),
    clientId,
    kid,
  };
}

/** The 32 bytes of `Signature`. Node's decoder takes any text; the pattern takes one spelling. */
export function readMac(text: string): Buffer {
  return bytesOf(SIGNATURE.exec(text)?.[1], 'Signature');
}

/** The 32 bytes of `Content-Digest`. */
export function readDigest(text: string): Buffer {
  return bytesOf(DIGEST.exec(text)?.[1], 'Content-Digest');
}

function bytesOf(base64: string | undefined, name: string): Buffer {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  // The last digit has two bits that say nothing: one value would have four spellings.
  if (base64 === undefined || bytes.toString('base64') !== base64) {
    throw invalid(`${name} is not of the profile reach-v1`);
  }
  return bytes;
}

/** A fault of the signature's form, which anybody may know. */
export function invalid(why: string): ReachError {
  return new ReachError('signature-invalid', `${why}.`);
}
