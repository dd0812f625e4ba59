import {
  type ClientWithSecret,
  fromProblem,
  type Input,
  readSecret,
  sign,
} from '@agent-reach/core';
import type { Bus } from '../../peers/testing/bus.ts';
import { openHouse, openShared, type TestHouse } from './house.ts';

/** A request as it goes through the door, to be looked at or changed on its way. */
export interface Wire {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  payload: string;
}

/** Asks in somebody's name, through the HTTP door. Throws the problem of an answer that is one. */
export type Ask = <T = Record<string, unknown>>(
  method: Wire['method'],
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<T>;

/** Somebody with a signing key. */
export interface Signer {
  ask: Ask;
  /** The signed request, not sent yet. */
  signed(wire: Omit<Wire, 'headers' | 'payload'> & Partial<Wire>): Wire;
}

/** A house that asks everybody who he is. */
export interface SecureHouse extends AsyncDisposable {
  house: TestHouse;
  /** The admin that the first start made. */
  admin: Ask;
  /** Anybody without a credential, or with the headers that he gives. */
  anybody: Ask;
  /** Lets somebody in; answers him with his signing key. */
  client(input: Input<'clients.create'>): Promise<Signer>;
}

export const SECURE = { 'auth.mode': 'required' };
const HOST = 'reach.example';

/** Opens a house that asks who one is. */
export async function openSecure(flags: Record<string, unknown> = {}): Promise<SecureHouse> {
  return secured(await openHouse({ ...SECURE, ...flags }));
}

/** The same, on a store that others may share. */
export async function openSecureShared(bus: Bus): Promise<SecureHouse> {
  return secured(await openShared(bus, { ...SECURE, 'secrets.kek.file': '/in/memory' }));
}

/** Who may come into a house. `token`: the admin's, where an earlier house made him. */
export function secured(house: TestHouse, token = house.house.firstToken()): SecureHouse {
  const anybody = askerThrough(house, (wire) => wire);
  const admin = askerThrough(house, (wire) => withHeaders(wire, bearer(token ?? '')));
  return {
    house,
    anybody,
    admin,
    client: async (input) => {
      const made = await admin<ClientWithSecret>('POST', '/v1/clients', input);
      return signerOf(house, made);
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

let signers = 0;

/** Whoever holds this key. */
export function signerOf(
  house: TestHouse,
  { client_id: clientId, kid, secret }: Pick<ClientWithSecret, 'client_id' | 'kid' | 'secret'>,
): Signer {
  const key = { clientId, kid, secret: readSecret(secret) ?? new Uint8Array() };
  // As many signers of one key as there are, each signs with nonces of its own.
  let signatures = (signers += 1) * 1_000_000;
  const signed: Signer['signed'] = ({ method, url, headers = {}, payload = '' }) => {
    const all = { host: HOST, 'content-type': 'application/json', ...headers };
    signatures += 1;
    const message = {
      method,
      target: url,
      authority: all.host,
      rawHeaders: Object.entries(all).flat(),
      body: Buffer.from(payload),
    };
    const nonce = `${clientId}-${kid}-`.replaceAll('.', '_') + String(signatures).padStart(22, '0');
    const nowMs = house.clock.now();
    return { method, url, headers: { ...all, ...sign(message, key, { nowMs, nonce }) }, payload };
  };
  return { signed, ask: askerThrough(house, signed) };
}

/** Sends a request as it is; answers its `data`, or throws its problem. */
export async function send<T>(house: TestHouse, { method, url, headers, payload }: Wire) {
  const sent = { method, url, headers, ...(payload === '' ? {} : { payload }) };
  const body = (await house.http.inject(sent)).json<{ code?: unknown; data?: unknown }>();
  if (body.code === 0) return body.data as T;
  const problem = fromProblem(body);
  if (problem !== undefined) throw problem;
  return body as T;
}

function askerThrough(house: TestHouse, prepare: (wire: Wire) => Wire): Ask {
  return (method, url, body, headers = {}) => {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const type = payload === '' ? {} : { 'content-type': 'application/json' };
    return send(house, prepare({ method, url, headers: { ...type, ...headers }, payload }));
  };
}

function withHeaders(wire: Wire, more: Record<string, string>): Wire {
  return { ...wire, headers: { ...wire.headers, ...more } };
}
