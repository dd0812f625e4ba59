import type {
  AgentView,
  Answer,
  Reachability,
  TaskTicket,
  TaskView,
  TraceRecord,
} from '@agent-reach/core';

/** The score of one that is well and 20 ms away. */
export const REACHABILITY: Reachability = {
  score: 0.97,
  base: 0.97,
  weights: { health: 0.4, saturation: 0.3, rtt: 0.2, errors: 0.1 },
  parts: { health: 1, saturation: 0, rtt: 0.15, errors: 0 },
  gate: 1,
  caps: [],
  stale: false,
};

/** An agent as a gateway shows it. */
export function agentView(changes: Partial<AgentView> = {}): AgentView {
  return {
    agent_id: 'order-query-agent',
    tenant: 'internal',
    kind: 'agent',
    display_name: '订单查询智能体',
    version: '1.2.0',
    manifest_version: 3,
    status: 'up',
    last_seen: '2025-12-31T23:59:57.000Z',
    tags: { order: '', region: 'eu' },
    capabilities: [
      {
        name: 'query_order_status',
        display_name: '查询订单',
        description: '根据订单号查询订单实时状态',
        input: {},
        output: {},
        tags: {},
        effect: 'read',
        sensitive: false,
        sla: { timeout_ms: 2_000 },
        priority: 0,
        examples: [],
        not_for: [],
      },
    ],
    instances: [
      {
        instance_id: 'i-1',
        mode: 'push',
        base_url: 'http://127.0.0.1:9001',
        observed: 'up',
        observed_cause: 'probe-passed',
        intent: 'enabled',
        intent_by: 'agent',
        routable: true,
        addr_version: 'e.1',
        tags: {},
        inflight: 0,
        reachability: REACHABILITY,
        last_heartbeat: '2025-12-31T23:59:57.000Z',
        lease_ends: '2026-01-01T00:00:40.000Z',
      },
    ],
    metadata: {},
    ...changes,
  };
}

/** A hop of a trace. */
export function hop(changes: Partial<TraceRecord> = {}): TraceRecord {
  return {
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: 'a',
    request_id: 'call_1',
    route_id: 'rte_1',
    tenant: 'internal',
    at: 1_000_000,
    hop: 1,
    agent_from: 'customer-service',
    agent_to: 'orders',
    instance: 'orders-1',
    capability: 'query_order_status',
    route_strategy: 'exact_match',
    status_code: 200,
    executed: 'yes',
    retry_count: 0,
    replayed: false,
    execute_ms: 100,
    match_ms: 10,
    queue_ms: 20,
    agent_ms: 60,
    return_ms: 10,
    attempts: [
      {
        agent: 'orders',
        instance: 'orders-1',
        started_ms: 30,
        ms: 60,
        status: 200,
        executed: 'yes',
      },
    ],
    ...changes,
  };
}

/** The answer of a call. */
export function answerOf(result: unknown, changes: Partial<Answer> = {}): Answer {
  return {
    request_id: 'call_1',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    status: 'ok',
    result,
    provider: { agent: 'orders', instance: 'orders-1', version: 1 },
    route: { route_id: 'rte_1', strategy: 'exact_match', score: 1 },
    timing: { match_ms: 1, queue_ms: 0, agent_ms: 9.4, return_ms: 1, total_ms: 12 },
    retry_count: 0,
    replayed: false,
    warnings: [],
    ...changes,
  };
}

/** A task as a gateway shows it. */
export function taskView(changes: Partial<TaskView> = {}): TaskView {
  return {
    task_id: 'tsk_1',
    task_type: 'query',
    status: 'queued',
    priority: 5,
    deliveries: 0,
    attempts: 0,
    attempts_max: 4,
    durability: 'durable',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    principal: 'customer-service',
    created_at: '2025-12-31T23:59:50.000Z',
    updated_at: '2025-12-31T23:59:57.000Z',
    ...changes,
  };
}

/** What a gateway answers to a submission. */
export function taskTicket(changes: Partial<TaskTicket> = {}): TaskTicket {
  return {
    task_id: 'tsk_1',
    status: 'queued',
    position: 3,
    eta_ms: 4_200,
    eta_p90_ms: 9_000,
    durability: 'durable',
    agent: 'sql-1',
    trace_id: 't',
    replayed: false,
    warnings: [],
    ...changes,
  };
}
