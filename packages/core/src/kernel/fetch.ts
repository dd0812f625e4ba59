/** One request out. Never follows a redirect, never retries. */
export interface FetchRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH';
  /** Absolute, http or https. */
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: Uint8Array | string | undefined;
  /** From now until the last byte of the answer, milliseconds. */
  timeoutMs: number;
  /** A longer answer is a `too-large` failure. */
  responseBytesMax: number;
  signal?: AbortSignal | undefined;
}

/** An answer, whatever its status. */
export interface FetchResponse {
  status: number;
  /** Lower-case names; repeated headers joined by `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Where an exchange broke. `refused-address`: the operator's egress policy forbids the address.
 * The order is the order of an exchange.
 */
export type FetchFailureKind =
  | 'bad-url'
  | 'resolve'
  | 'refused-address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'too-large'
  | 'aborted';

/**
 * An exchange that gave no answer. `sent` decides what may be repeated: false = provably not one
 * byte of the request left for the peer; true = unknown what the peer did with it.
 */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  readonly kind: FetchFailureKind;
  readonly sent: boolean;

  constructor(kind: FetchFailureKind, sent: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.sent = sent;
  }
}

/** What may be wrong with an address before anything is sent to it. */
export type AddressVerdict =
  | { verdict: 'allowed'; addresses: string[] }
  | { verdict: 'unresolved'; detail: string }
  | { verdict: 'refused'; address: string; detail: string };

/**
 * The port through which everything leaves the gateway. Rejects with `FetchFailure` only.
 * Injected everywhere; the guarded implementation lives in the room `outbound`.
 */
export interface Fetch {
  (request: FetchRequest): Promise<FetchResponse>;
  /** Resolves the URL's host and judges each address by the egress policy. Sends nothing. */
  judge(url: string): Promise<AddressVerdict>;
}
