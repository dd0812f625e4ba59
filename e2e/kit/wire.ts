import assert from 'node:assert/strict';
import {
  type Answer,
  type ErrorCode,
  ERRORS,
  type OperationName,
  type Output,
} from '@agent-reach/core';

/** What came back over plain HTTP: no SDK between the test and the bytes. */
export interface Reply {
  status: number;
  headers: Headers;
  /** JSON where it is JSON, else text. */
  body: unknown;
}

/** A problem document of the gateway. */
export interface ProblemBody {
  code: ErrorCode;
  status: number;
  detail: string;
  executed: string;
  retryable: boolean;
  request_id?: string;
  trace_id?: string;
  agent?: string;
  last_seen?: string;
  path?: string[];
  limit?: number;
  errors?: { pointer: string; detail: string }[];
  did_you_mean?: string[];
  downstream?: { status: number; code?: string };
}

/** How a request is sent. */
export interface Sending {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends JSON, or with a text body and a content type of its own anything else. */
export async function post(url: string, body: unknown, sending: Sending = {}): Promise<Reply> {
  const { headers = {}, signal = null } = sending;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  return replyOf(response);
}

/** Asks, without a body. */
export async function get(url: string): Promise<Reply> {
  return replyOf(await fetch(url, { redirect: 'manual' }));
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** What an operation answered; fails on anything but a success. */
export function dataOf<K extends OperationName>(_: K, { status, body }: Reply): Output<K> {
  assert.ok(status >= 200 && status < 300, `answered ${status}: ${JSON.stringify(body)}`);
  const { code, data } = body as { code: unknown; data: Output<K> };
  assert.equal(code, 0);
  return data;
}

/** The answer of a call. */
export function answerOf(reply: Reply): Answer {
  return dataOf('calls.invoke', reply);
}

/** The problem of this very code, with the status and form that the table gives it. */
export function problemOf(reply: Reply, code: ErrorCode): ProblemBody {
  const problem = reply.body as ProblemBody;
  assert.equal(problem.code, code, `answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  assert.equal(reply.status, ERRORS[code].http);
  assert.equal(problem.status, reply.status);
  assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal('data' in problem, false);
  return problem;
}
