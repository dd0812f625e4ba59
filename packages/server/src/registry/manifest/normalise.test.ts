import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { issuesOf, Manifest, ReachError } from '@agent-reach/core';
import fc from 'fast-check';
import { readManifest } from '../../main/read-manifest.ts';
import { digestManifest } from './digest.ts';
import { formA, read, refusalOf } from './testing/bodies.ts';

/** The user's own files, byte for byte, through the reader that every manifest passes. */
function seed(file: string): unknown {
  return readManifest(readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8'), file);
}

test('seed A registers unchanged', () => {
  const { manifest, instance, warnings } = read(seed('seed-a.yaml'));

  assert.deepEqual(manifest, {
    agent_id: 'order-query-agent',
    kind: 'agent',
    display_name: '订单查询智能体',
    version: '1.2.0',
    owner: 'commerce-platform',
    schema_version: 1,
    tags: {},
    capabilities: [
      {
        name: 'query_order_status',
        display_name: 'query_order_status',
        description: '根据订单号查询订单实时状态，返回订单当前节点和预计发货时间',
        input: {
          type: 'object',
          properties: {
            order_no: { type: 'string', description: '业务订单号，例如 ORD202501180001' },
            customer_id: { type: 'string', description: '用户ID，用于校验订单归属' },
          },
          required: ['order_no', 'customer_id'],
        },
        output: {
          type: 'object',
          properties: {
            status: { type: 'string', description: '订单状态枚举' },
            estimated_ship_time: { type: 'string', description: '预计发货时间，ISO8601格式' },
          },
        },
        tags: { order: '', query: '', shipping: '' },
        sensitive: false,
        sla: { timeout_ms: 2000, max_qps: 50 },
        priority: 50,
        examples: [],
        not_for: [],
      },
    ],
    network: {
      base_url: 'http://order-agent.internal:9001',
      health_path: '/health',
      heartbeat_interval_ms: 15_000,
    },
    metadata: {},
  });
  assert.equal(instance, undefined);
  assert.deepEqual(warnings, []);
});

test('seed C registers unchanged', () => {
  const { manifest, instance, warnings } = read(seed('seed-c.json'));

  assert.deepEqual(manifest, {
    agent_id: 'weekly-report-agent',
    kind: 'agent',
    display_name: 'weekly-report-agent',
    schema_version: 1,
    tags: {},
    capabilities: [
      {
        name: 'generate-weekly-summary',
        display_name: '生成周报摘要',
        description: '',
        input: {
          type: 'object',
          properties: {
            kpi_data: { type: 'string', description: 'JSON格式的关键指标数据' },
            language: { type: 'string', enum: ['zh', 'en'], default: 'zh' },
          },
        },
        output: { type: 'object', properties: { summary: { type: 'string' } } },
        tags: { report: '', analysis: '', kpi: '' },
        sensitive: false,
        sla: { timeout_ms: 2000 },
        priority: 80,
        examples: [],
        not_for: [],
      },
    ],
    network: { health_path: '/healthz' },
    max_concurrency: 5,
    metadata: { team: 'data-ai-team', env: 'prod', llm_model: 'gpt-4o-mini' },
  });
  assert.equal(instance, undefined);
  assert.deepEqual(warnings, []);
});

test('seed D registers unchanged', () => {
  const { manifest, warnings } = read(seed('seed-d.json'));

  assert.deepEqual(manifest, {
    agent_id: 'crm-connector',
    kind: 'connector',
    display_name: 'crm-connector',
    schema_version: 1,
    tags: {},
    capabilities: [
      {
        name: 'crm.contact.read',
        display_name: 'crm.contact.read',
        description: '',
        input: {},
        output: {},
        tags: {},
        effect: 'read',
        sensitive: false,
        sla: { timeout_ms: 1500 },
        priority: 50,
        examples: [],
        not_for: [],
        action: {
          protocol: 'http',
          endpoint: 'internal://contact-center/contacts/{id}',
          method: 'GET',
          auth_scheme: 'vault://secrets/crm/internal-token',
          replay_policy: 'no-cache',
          health_check: { type: 'http_ping', path: '/healthz', interval_ms: 30_000 },
        },
      },
    ],
    network: { health_path: '/healthz' },
    metadata: {},
  });
  assert.deepEqual(warnings, []);
});

test('an unknown field is refused, and one that begins with x- is not kept', () => {
  assert.equal(
    refusalOf(formA({ pripority: 1 })),
    'validation-failed #/capabilities/0/pripority is not a known field',
  );
  assert.equal(
    refusalOf(formA({}, { schema_version: 1, new: 1 })),
    'validation-failed #/new is not a known field',
  );

  const { manifest, warnings } = read(formA({ 'x-team': 1 }, { 'x-team': { a: 1 } }));
  assert.doesNotMatch(JSON.stringify(manifest), /x-team/);
  assert.deepEqual(warnings, []);
});

test('unknown fields of a newer manifest schema are left out, each with a warning', () => {
  const body = formA({ fresh: 1 }, { manifest_schema_version: 2, a: { b: 1 }, 'c/d': 2 });

  const { manifest, warnings } = read(body);

  assert.equal(manifest.schema_version, 2);
  assert.deepEqual(
    warnings.map((warning) => warning.split(' ')[0]).toSorted((a = '', b = '') => (a < b ? -1 : 1)),
    ['#/a', '#/capabilities/0/fresh', '#/c~1d'],
  );
  assert.deepEqual(Object.keys(body), [
    'name',
    'capabilities',
    'manifest_schema_version',
    'a',
    'c/d',
  ]);
});

test('a name in another script is kept for people, and its hash is the id', () => {
  const { manifest, warnings } = read({ name: '订单智能体', capabilities: [{ name: '查询订单' }] });

  assert.equal(manifest.agent_id, 'agent-638806b1');
  assert.equal(manifest.display_name, '订单智能体');
  assert.equal(manifest.capabilities[0]?.name, 'capability-bdf6d47e');
  assert.equal(manifest.capabilities[0]?.display_name, '查询订单');
  assert.equal(warnings.length, 2);
});

test('an explicit agent_id wins, and must be one', () => {
  assert.equal(read(formA({}, { name: '订单', agent_id: 'orders' })).manifest.agent_id, 'orders');
  assert.equal(read(formA({}, { name: '订单', id: 'orders' })).manifest.agent_id, 'orders');
  assert.match(
    refusalOf(formA({}, { agent_id: 'Orders' })),
    /^manifest-refused #\/agent_id must be/,
  );
  assert.match(
    refusalOf(formA({}, { agent_id: 'a', id: 'b' })),
    /^manifest-refused #\/id is not "a"/,
  );
});

test('names are compared and kept in NFC', () => {
  const composed = read(formA({}, { display_name: 'Caf\u00e9' }));
  const decomposed = read(formA({}, { display_name: 'Cafe\u0301' }));

  assert.deepEqual(decomposed.manifest, composed.manifest);
  assert.equal(
    read(formA({}, { name: 'Cafe\u0301' })).manifest.agent_id,
    read(formA({}, { name: 'Caf\u00e9' })).manifest.agent_id,
  );
});

test('tags are one map, whether they came as a list or not', () => {
  const tags = (given: unknown) => read(formA({ tags: given })).manifest.capabilities[0]?.tags;

  assert.deepEqual(tags(['a', 'a', 'b']), { a: '', b: '' });
  assert.deepEqual(tags({ region: 'cn', b: '' }), { region: 'cn', b: '' });
});

test('an instance rides along and is kept apart', () => {
  const body = formA(
    {},
    { instance: { instance_id: 'i1', base_url: 'http://a:1/', boot_id: 'b', tags: ['x'] } },
  );

  const { manifest, instance } = read(body);

  assert.deepEqual(instance, {
    instance_id: 'i1',
    base_url: 'http://a:1',
    boot_id: 'b',
    tags: { x: '' },
  });
  assert.equal(manifest.network.base_url, undefined);
  assert.equal(digestManifest(manifest), digestManifest(read(formA()).manifest));
  assert.deepEqual(read(formA({}, { instance: { pull: true } })).instance, { pull: true });
  assert.match(
    refusalOf(formA({}, { instance: { pull: true, base_url: 'http://a' } })),
    /#\/instance\/base_url is given beside/,
  );
});

test('a version that YAML read as a number is kept as text, with a warning', () => {
  const { manifest, warnings } = read(formA({}, { version: 1.2 }));

  assert.equal(manifest.version, '1.2');
  assert.match(warnings[0] ?? '', /#\/version is a number, in which 1\.10 is 1\.1/);
});

test('writes about money are sensitive unless the manifest says otherwise', () => {
  const sensitive = (capability: object) =>
    read(formA(capability)).manifest.capabilities[0]?.sensitive;

  assert.equal(sensitive({ name: 'refund_order' }), true);
  assert.equal(sensitive({ name: 'refund_order', effect: 'read' }), false);
  assert.equal(sensitive({ name: 'refund_order', sensitive: false }), false);
  assert.equal(sensitive({ name: 'x', sensitive: true }), true);
  assert.equal(sensitive({ name: 'x', display_name: '申请退款' }), true);
  assert.equal(sensitive({ name: '订单退货' }), true);
});

test('names of Object.prototype are names like any other', () => {
  const body = formA({ tags: ['constructor', 'toString'] }, { metadata: { valueOf: 1 } });

  assert.deepEqual(Object.keys(read(body).manifest.capabilities[0]?.tags ?? {}), [
    'constructor',
    'toString',
  ]);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('whatever comes in, what comes out is canonical and stable, or a ReachError', () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const capability = fc.record({
    name: line,
    description: optional(line),
    tags: optional(
      fc.oneof(fc.array(line, { maxLength: 3 }), fc.dictionary(line, line, { maxKeys: 3 })),
    ),
    input_schema: optional(
      fc.dictionary(line, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true }),
    ),
    sla: optional(fc.record({ timeout_ms: fc.integer({ min: 1, max: 60_000 }) })),
    version: optional(fc.oneof(line, fc.double({ noNaN: true }))),
  });
  const body = fc.record({
    name: line,
    capabilities: fc.array(capability, { minLength: 1, maxLength: 3 }),
    display_name: optional(line),
  });
  fc.assert(
    fc.property(body, (given) => {
      const sent = JSON.parse(JSON.stringify(given)) as unknown;
      try {
        const { manifest } = read(sent);
        assert.deepEqual(issuesOf(Manifest, manifest), []);
        assert.equal(
          digestManifest(manifest),
          digestManifest(read(structuredClone(sent)).manifest),
        );
      } catch (error) {
        if (!ReachError.is(error)) throw error;
        assert.notEqual(error.code, 'internal');
      }
    }),
    { numRuns: 300 },
  );
});

test('a capability that says nothing of its time has its agent’s, and its connector’s cap', () => {
  const network = { timeout_ms: 500, max_timeout_ms: 9_000 };
  const own = { sla: { timeout_ms: 700, max_timeout_ms: 800 } };

  const [silent, said] = [formA({}, { network }), formA(own, { network })].map(
    (body) => read(body).manifest.capabilities[0]?.sla,
  );
  const action = read({
    connector: 'crm',
    name: 'crm.read',
    protocol: 'http',
    endpoint: 'http://crm',
    timeout_ms: 100,
    max_timeout_ms: 200,
  });

  assert.deepEqual(silent, network);
  assert.deepEqual(said, own.sla);
  assert.deepEqual(action.manifest.capabilities[0]?.sla, { timeout_ms: 100, max_timeout_ms: 200 });
});
