import type { FetchResponse } from '@agent-reach/core/kernel';
import type { Attempt } from '../link.ts';

/** An attempt with the least it needs; `over` says what the test is about. */
export function attempt(over: Partial<Attempt> = {}): Attempt {
  return {
    tenant: 'internal',
    requestId: 'req-1',
    caller: 'shop',
    agentId: 'orders',
    instanceId: 'i-1',
    addrVersion: 'ab12.3',
    baseUrl: 'http://orders:9001',
    capability: 'query_order_status',
    params: { order_no: 'A1' },
    number: 1,
    agentMs: 2_000,
    gatewayMs: 2_200,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03',
    callToken: 'dG9rZW4.bWFj',
    ...over,
  };
}

/** What an agent answers: text as it stands, anything else as JSON. */
export function response(
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): FetchResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(text),
  };
}
