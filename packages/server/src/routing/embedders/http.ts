import { type Fetch, FetchFailure, type FetchResponse, scrubText } from '@agent-reach/core/kernel';
import { type DialectName, DIALECTS } from './dialects.ts';
import {
  type Embedded,
  type Embedder,
  nonsense,
  type Patience,
  type Unembedded,
  vectorsFrom,
} from './embedder.ts';

/** Which server is asked, and for what. */
export interface HttpEmbedding {
  dialect: DialectName;
  /** Absolute, http or https, without credentials. */
  url: string;
  model: string;
  /** Sent as a bearer token; empty: none is. */
  key: string;
  batchMax: number;
}

/** A vector of 4,096 numbers as JSON, and something around it. */
const ROW_BYTES_MAX = 131_072;
const FRAME_BYTES_MAX = 65_536;
const WAIT_MS_MAX = 300_000;
const FOREIGN_CHARS_MAX = 200;

/** An embedder behind HTTP. It goes where `egress.allow` lets it, and follows no redirect. */
export function httpEmbedder(about: HttpEmbedding, fetch: Fetch): Embedder {
  const { dialect, model, batchMax } = about;
  const url = new URL(about.url);
  url.pathname = DIALECTS[dialect].path(url.pathname.replace(/\/+$/, ''));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(about.key === '' ? {} : { authorization: `Bearer ${about.key}` }),
  };
  const ask = async (texts: readonly string[], { timeoutMs, signal }: Patience) => {
    const answer = await fetch({
      method: 'POST',
      url: url.href,
      headers,
      body: JSON.stringify(DIALECTS[dialect].body(texts, model)),
      timeoutMs,
      signal,
      responseBytesMax: FRAME_BYTES_MAX + texts.length * ROW_BYTES_MAX,
    });
    return answer.status === 200 ? read(answer, dialect, texts.length) : refusal(answer);
  };
  return {
    name: model === '' ? dialect : `${dialect}:${model}`,
    batchMax,
    async embed(texts, _, patience) {
      try {
        return await ask(texts, patience);
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        return ofFailure(error);
      }
    },
    close: async () => {},
  };
}

function read({ body }: FetchResponse, dialect: DialectName, wanted: number): Embedded {
  let answer: unknown;
  try {
    answer = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return nonsense('what is no JSON');
  }
  const rows = DIALECTS[dialect].rows(answer);
  return typeof rows === 'string' ? nonsense(rows) : vectorsFrom(rows, wanted);
}

/** What a status says. What the server writes is a foreign text: a piece of it, without secrets. */
function refusal({ status, headers, body }: FetchResponse): Unembedded {
  const piece = Buffer.from(body.subarray(0, 4 * FOREIGN_CHARS_MAX)).toString('utf8');
  const said = scrubText(piece.replace(/[\p{Cc}\s]+/gu, ' ')).slice(0, FOREIGN_CHARS_MAX);
  const detail = `The embedder answered ${status}${said === '' ? '' : `: ${said}`}.`;
  const fault = (is: Unembedded['fault']): Unembedded => ({ ok: false, fault: is, detail });
  if (status >= 300 && status < 400) {
    return {
      ...fault('refused'),
      detail: `The embedder answered ${status}: no redirect is followed.`,
    };
  }
  switch (status) {
    case 400:
    case 413:
    case 422:
      return fault('not-taken');
    case 408:
    case 425:
    case 429:
    case 503:
    case 529:
      return { ...fault('busy'), waitMs: waitIn(headers) };
    default:
      return fault(status >= 500 ? 'unreachable' : 'refused');
  }
}

/** Seconds; a date, or nothing, is no more than a short pause. */
function waitIn(headers: FetchResponse['headers']): number {
  const seconds = Number(headers['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.min(WAIT_MS_MAX, Math.max(0, seconds * 1_000)) : 1_000;
}

function ofFailure({ kind, message }: FetchFailure): Unembedded {
  const detail = `The embedder could not be asked: ${message}`;
  switch (kind) {
    case 'timeout':
    case 'aborted':
      return { ok: false, fault: 'late', detail };
    case 'too-large':
      return { ok: false, fault: 'nonsense', detail };
    case 'bad-url':
    case 'refused-address':
      return { ok: false, fault: 'refused', detail };
    case 'resolve':
    case 'connect':
    case 'tls':
    case 'reset':
      return { ok: false, fault: 'unreachable', detail };
  }
}
