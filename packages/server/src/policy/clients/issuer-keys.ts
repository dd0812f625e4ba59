import { parseJson } from '@agent-reach/core';
import type { Clock, Fetch, Log } from '@agent-reach/core/kernel';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** What having an issuer's keys needs. */
export interface IssuerKeysPorts {
  fetch: Fetch;
  /** Reads a file. */
  readText: (path: string) => Promise<string>;
  clock: Clock;
  log: Log;
}

/** An issuer whose keys are not to be had now: it is not the token's fault. */
export class NoKeys extends Error {}

/** How long keys hold before they are asked for again. */
const FRESH_MS = 600_000;
/** How long they hold where nobody answers: an issuer that is down for a while locks nobody out. */
const STALE_MS = 3_600_000;
/** Between two askings: whoever invents names of keys makes the gateway ask nobody more often. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 3_000;
const BYTES_MAX = 262_144;
const KEYS_MAX = 100;
const DEPTH_MAX = 16;

interface Kept {
  find: JWTVerifyGetKey;
  /** Monotonic. */
  at: number;
}

/**
 * The public keys of one issuer: found by discovery, at a URL or in a file, and kept. One asking at a
 * time; who comes meanwhile waits for the same answer.
 */
export class IssuerKeys {
  readonly #issuer: string;
  readonly #jwks: string;
  readonly #ports: IssuerKeysPorts;
  #kept: Kept | undefined;
  #askedAt: number | undefined;
  #asking: Promise<void> | undefined;

  /** @param jwks A URL or a file; empty: as the issuer's discovery document says. */
  constructor({ issuer, jwks }: { issuer: string; jwks: string }, ports: IssuerKeysPorts) {
    this.#issuer = issuer;
    this.#jwks = jwks;
    this.#ports = ports;
  }

  /** The key of a token. Throws `NoKeys`, or an error of jose where none fits. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const kept = await this.#present();
    try {
      return await kept.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (!(await this.#ask())) throw error;
      return (await this.#present()).find(header, token);
    }
  };

  async #present(): Promise<Kept> {
    const now = () => this.#ports.clock.monotonic();
    if (this.#kept === undefined || now() - this.#kept.at > FRESH_MS) await this.#ask();
    if (this.#kept === undefined || now() - this.#kept.at > STALE_MS) {
      throw new NoKeys(`The keys of ${this.#issuer} are not to be had now.`);
    }
    return this.#kept;
  }

  /** Whether somebody was asked, or it is not time yet. */
  async #ask(): Promise<boolean> {
    const { clock, log } = this.#ports;
    if (this.#asking !== undefined) {
      await this.#asking;
      return true;
    }
    const now = clock.monotonic();
    if (this.#askedAt !== undefined && now - this.#askedAt < COOLDOWN_MS) return false;
    this.#askedAt = now;
    this.#asking = this.#load()
      .catch((error: unknown) =>
        log.warn({ err: error, issuer: this.#issuer }, 'the keys of an issuer could not be read'),
      )
      .finally(() => {
        this.#asking = undefined;
      });
    await this.#asking;
    return true;
  }

  async #load(): Promise<void> {
    const set = keySetIn(await this.#text());
    this.#kept = { find: createLocalJWKSet(set), at: this.#ports.clock.monotonic() };
  }

  async #text(): Promise<string> {
    if (this.#jwks !== '' && !isUrl(this.#jwks)) return this.#ports.readText(this.#jwks);
    return this.#get(this.#jwks === '' ? await this.#discover() : this.#jwks);
  }

  async #discover(): Promise<string> {
    const url = `${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = parseJson(await this.#get(url), { depthMax: DEPTH_MAX });
    const { issuer, jwks_uri: uri } = (found ?? {}) as Record<string, unknown>;
    if (issuer !== this.#issuer) throw new Error(`${url} is the document of another issuer.`);
    if (typeof uri !== 'string' || !isSafeUrl(uri)) {
      throw new Error(`${url} names no jwks_uri with https.`);
    }
    return uri;
  }

  async #get(url: string): Promise<string> {
    const { status, body } = await this.#ports.fetch({
      method: 'GET',
      url,
      headers: { accept: 'application/json, application/jwk-set+json' },
      timeoutMs: TIMEOUT_MS,
      responseBytesMax: BYTES_MAX,
    });
    if (status !== 200) throw new Error(`${url} answered ${status}.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  }
}

function keySetIn(text: string): JSONWebKeySet {
  if (text.length > BYTES_MAX) throw new Error(`A key set may have ${BYTES_MAX} bytes.`);
  const set = parseJson(text, { depthMax: DEPTH_MAX }) as Partial<JSONWebKeySet> | null;
  const count = Array.isArray(set?.keys) ? set.keys.length : 0;
  if (count === 0) throw new Error('It is no key set, or one without keys.');
  if (count > KEYS_MAX) throw new Error(`It holds ${count} keys; ${KEYS_MAX} are the most.`);
  return set as JSONWebKeySet;
}

/** Whether this is an address, and no file. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Whether what comes from there can be believed: with TLS, or from this machine. */
export function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
