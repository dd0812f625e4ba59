import type { Fetch } from '@agent-reach/core/kernel';

/** A model's largest file; more than any small encoder has. */
const FILE_BYTES_MAX = 2 ** 30;
const FILE_MS_MAX = 600_000;
/** From a hub to where it keeps its files. */
const REDIRECTS_MAX = 4;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * `fetch` as libraries know it, on the way out that every other request takes: each address is judged,
 * that of a redirect as well, and what a request was signed with goes to no other host.
 */
export function hubFetch(fetch: Fetch) {
  return async (input: string | URL, init: { headers?: Headers } = {}): Promise<Response> => {
    let url = new URL(input);
    let headers = Object.fromEntries(new Headers(init.headers));
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const answer = await fetch({
        method: 'GET',
        url: url.href,
        headers,
        timeoutMs: FILE_MS_MAX,
        responseBytesMax: FILE_BYTES_MAX,
      });
      const next = answer.headers['location'];
      if (!REDIRECTS.has(answer.status) || next === undefined) return responseOf(answer);
      const target = new URL(next, url);
      if (target.origin !== url.origin) {
        const { authorization: _, ...others } = headers;
        headers = others;
      }
      url = target;
    }
    return new Response(null, { status: 508, statusText: 'too many redirects' });
  };
}

function responseOf({ status, headers, body }: Awaited<ReturnType<Fetch>>): Response {
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : Buffer.from(body), { status, headers });
}
