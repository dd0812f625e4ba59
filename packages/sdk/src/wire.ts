import {
  type ErrorFacts,
  fromProblem,
  type Input,
  type Operation,
  OPERATIONS,
  type OperationName,
  ReachError,
} from '@agent-reach/core';

/** An operation as it goes over HTTP, without what every request carries. */
export interface WireRequest {
  method: Operation['method'];
  /** Path and query. */
  path: string;
  /** JSON text. */
  body?: string;
}

/** An HTTP answer whose body was read. */
export interface WireReply {
  status: number;
  /** In seconds, as the header says. */
  retryAfter?: string | undefined;
  text: string;
  /** It answers the second of two requests, of which the first may have been carried out. */
  isRepeat?: boolean;
}

/**
 * Puts an operation's input where the table says: `{field}` into the path, the rest into the query
 * where there is no body (GET, DELETE), else into a JSON body.
 *
 * Throws `validation-failed` when a field of the path is missing.
 */
export function toRequest<K extends OperationName>(name: K, input: Input<K>): WireRequest {
  const operation: Operation = OPERATIONS[name];
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown>) };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest[field];
    delete rest[field];
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    throw new ReachError('validation-failed', `${name} needs ${field}, a text that is not empty.`, {
      errors: [{ pointer: `#/${field}`, detail: 'is missing' }],
    });
  });
  const { method } = operation;
  if (method === 'GET' || method === 'DELETE') return { method, path: path + queryOf(rest) };
  const body = operation.wholeBody === undefined ? rest : rest[operation.wholeBody];
  return { method, path, body: JSON.stringify(body) };
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/**
 * What the gateway answered: the output of the operation without its envelope.
 *
 * Throws the gateway's own error when it sent a problem document, and `bad-response` when something
 * that is not our gateway answered: a proxy, a login page.
 */
export function fromReply(name: OperationName, reply: WireReply): unknown {
  const operation: Operation = OPERATIONS[name];
  const body = jsonOf(reply.text);
  if (reply.status >= 200 && reply.status < 300) {
    if (operation.bare === true && body !== undefined) return body;
    if (isEnvelope(body)) return body.data;
    throw unreadable(name, reply);
  }
  const error = fromProblem(body) ?? strangeProblem(body, reply) ?? unreadable(name, reply);
  throw reply.isRepeat === true ? ofBoth(error) : error;
}

/** That the second of two requests did nothing says nothing of the first. */
function ofBoth(error: ReachError): ReachError {
  if (error.executed !== 'no') return error;
  return new ReachError(error.code, error.message, { ...error.facts, executed: 'unknown' });
}

function isEnvelope(body: unknown): body is { code: 0; data: unknown } {
  return typeof body === 'object' && body !== null && 'data' in body && 'code' in body;
}

/**
 * A problem document whose code this SDK does not know comes from a newer gateway. Its sentence and
 * its word on retries and execution are kept.
 */
function strangeProblem(body: unknown, reply: WireReply): ReachError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, detail } = body as Record<string, unknown>;
  if (typeof code !== 'string' || typeof detail !== 'string') return undefined;
  const known = fromProblem({ ...body, code: 'bad-response' });
  const downstream = { status: reply.status, code };
  return new ReachError('bad-response', `${code}: ${detail}`, { ...known?.facts, downstream });
}

const SHOWN_CHARS_MAX = 120;

function unreadable(name: OperationName, reply: WireReply): ReachError {
  const start = JSON.stringify(reply.text.slice(0, SHOWN_CHARS_MAX));
  const facts: ErrorFacts = { downstream: { status: reply.status } };
  const seconds = Number(reply.retryAfter);
  if (Number.isInteger(seconds) && seconds >= 0) facts.retry_after_ms = seconds * 1000;
  const detail = `${name}: what answered ${reply.status} is not the gateway; it said ${start}.`;
  return new ReachError('bad-response', detail, facts);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // Whoever needs it as JSON reports it with its status.
  }
}
