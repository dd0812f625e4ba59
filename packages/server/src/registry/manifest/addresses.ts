import type { Issue } from '@agent-reach/core';

// Syntax only. Where a base URL may lead is the egress policy's to say, at registration and again
// at every connection.

/** What is wrong with a base URL by its text alone; undefined when nothing is. */
export function baseUrlFault(url: string, pointer: string): Issue | undefined {
  const fault = (detail: string): Issue => ({ pointer, detail });
  // Looked at before parsing, for parsing repairs: blanks vanish, backslashes turn round.
  if (/[\s\\\u0000-\u001f\u007f]/.test(url)) return fault('holds a blank, control or backslash');
  if (!URL.canParse(url)) return fault(`is not an absolute URL, is ${shown(url)}`);
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return fault(`must be http or https, is ${parsed.protocol.slice(0, -1)}`);
  }
  if (!/^https?:\/\/[^/]/i.test(url))
    return fault('must begin with http:// or https:// and a host');
  if (parsed.username !== '' || parsed.password !== '' || /^[^/]*\/\/[^/]*@/.test(url)) {
    return fault('may hold no user and no password');
  }
  if (url.includes('?') || url.includes('#')) return fault('may hold no query and no fragment');
  return undefined;
}

/** A base URL in one spelling, so that one address has one instance id. */
export function tidyBaseUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** What is wrong with a path that is appended to a base URL; undefined when nothing is. */
export function pathFault(path: string, pointer: string): Issue | undefined {
  const fault = (detail: string): Issue => ({ pointer, detail });
  if (!path.startsWith('/')) return fault(`must be a path that begins with "/", is ${shown(path)}`);
  if (path.includes('//') || /[\\@#\s\u0000-\u001f\u007f]/.test(path)) {
    return fault('may hold no "//", backslash, "@", "#", blank or control');
  }
  // What parsing would change is not the path that was looked at: `..`, `%2e%2e`, other scripts.
  const { host, pathname, search } = new URL(path, 'http://agent.invalid');
  if (host === 'agent.invalid' && pathname + search === path) return undefined;
  return fault('may hold no "." or ".." segment, and other scripts only percent-encoded');
}

const SHOWN_CHARS_MAX = 60;

function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_CHARS_MAX));
}
