import { isIP } from 'node:net';
import { FetchFailure } from '@agent-reach/core/kernel';

/** Where a URL leads, in the words of the URL parser: what was judged is what is connected to. */
export interface Target {
  /** Scheme, host and port; the default port is left out. */
  origin: string;
  /** Lower-case, without brackets and without the dot at the end of a name. */
  host: string;
  /** The host, if it is an address and not a name. */
  literal: string | undefined;
  port: number;
  /** With the query. */
  path: string;
}

// The URL parser mends these silently; other parsers mend them otherwise, and between two readings
// of one text an address slips through.
const MENDED = /[\s\\\p{Cc}]/u;
const START = /^https?:\/\/[^/?#]/i;

/**
 * Reads a URL that came from outside. Every spelling of an address (`2130706433`, `0x7f.1`,
 * `0177.0.0.1`, `[::ffff:127.0.0.1]`) becomes the usual one, since a rule that reads another
 * spelling than the system does guards nothing.
 *
 * Throws the `FetchFailure` `bad-url` for: other schemes than http and https, user info (it would
 * put a credential into logs, and `http://allowed@inside/` reads like the wrong host), IPv6 zone
 * ids, fragments, port 0, and texts that parsers mend in different ways.
 */
export function readTarget(text: string): Target {
  if (MENDED.test(text)) throw badUrl('holds a blank, a control character or a backslash');
  if (!START.test(text)) throw badUrl('does not start with http:// or https:// and a host');
  const url = URL.parse(text);
  if (url === null) throw badUrl(faultOf(text));
  if (url.username !== '' || url.password !== '') throw badUrl('holds user info');
  if (text.includes('#')) throw badUrl('holds a fragment, which is never sent');
  const { origin, hostname, pathname, search } = url;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0) throw badUrl('has port 0');
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  if (host === '') throw badUrl('has an empty host');
  const literal = isIP(host) === 0 ? undefined : host;
  return { origin, host, literal, port, path: pathname + search };
}

function faultOf(text: string): string {
  return /^[^/]+:\/\/[^/?#]*\[[^\]]*%/.test(text) ? 'holds an IPv6 zone id' : 'cannot be parsed';
}

function badUrl(detail: string): FetchFailure {
  return new FetchFailure('bad-url', false, `The URL ${detail}.`);
}
