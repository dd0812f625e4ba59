import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClientWithSecret,
  type Operation,
  OPERATIONS,
  type TaskTicket,
} from '@agent-reach/core';
import { testRandom } from '@agent-reach/core/testing';
import { failsWith } from './testing/house.ts';
import { json } from './testing/network.ts';
import { openSecure, type SecureHouse, type Signer, signerOf } from './testing/secure.ts';

/** A tenant with something of everything, and what its names are. */
interface Tenant {
  admin: Signer;
  /** In every name that the tenant has chosen, and in no other text. */
  mark: string;
  /** What stands for each field in a path or a query. */
  names: Record<string, string>;
}

const reading = (name: string) => ({ name, description: `${name}.`, effect: 'read' });

/** Lets a tenant in and has it do a bit of all that leaves something to be read. */
async function settle(secure: SecureHouse, mark: string, tenant: string): Promise<Tenant> {
  const { house } = secure;
  const made = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'service',
    client_id: `${mark}-admin`,
    role: 'admin',
    for_tenant: tenant,
  });
  const admin = signerOf(house, made);
  const [agent, look, slow] = [`${mark}-agent`, `${mark}-look`, `${mark}-slow`];
  house.network.at(`http://${mark}`, (request) =>
    json(200, request.method === 'GET' ? { agent_id: agent } : { mark }),
  );
  await admin.ask('POST', '/v1/agents', {
    name: agent,
    tags: { [`${mark}-tag`]: mark },
    capabilities: [reading(look), reading(slow)],
    network: { base_url: `http://${mark}` },
  });
  await admin.ask('PUT', '/v1/policies/grants', {
    doc: { rows: [{ who: '*', may: [`${mark}*`] }] },
  });
  await admin.ask('PUT', '/v1/policies/weights', { doc: { agents: { [agent]: { weight: 2 } } } });
  const requestId = `${mark}-request`;
  const answer = await admin.ask<{ trace_id: string }>('POST', '/v1/calls', {
    capability: look,
    request_id: requestId,
    params: { mark },
  });
  const later = { task_type: slow, payload: { mark }, delay: '1h', source_id: `${mark}-source` };
  const submit = (more: object) =>
    admin.ask<TaskTicket>('POST', '/v1/tasks', { ...later, ...more });
  const { task_id: taskId } = await submit({ task_id: `${mark}-task`, ordered: true });
  const { task_id: dead } = await submit({ task_id: `${mark}-dead` });
  await admin.ask('POST', `/v1/tasks/${dead}/park`, { reason: mark });
  return {
    admin,
    mark,
    names: {
      agent_id: agent,
      agent,
      client_id: `${mark}-admin`,
      capability: look,
      task_type: slow,
      task_id: taskId,
      request_id: requestId,
      trace_id: answer.trace_id,
      source_id: `${mark}-source`,
      principal: `${mark}-admin`,
      target: agent,
      q: mark,
      tag: `${mark}-tag`,
    },
  };
}

interface ObjectSchema {
  properties?: Record<string, { type?: string; enum?: string[] }>;
  required?: string[];
}

const READS = (Object.entries(OPERATIONS) as [string, Operation][]).filter(
  // Streams of events have no end; what they show of others is tried where they are.
  ([, { method, auth, stream }]) => method === 'GET' && auth !== 'public' && stream !== 'events',
);

/** The URL of a read, with a tenant's own names in it: those that are demanded, and one more. */
function urlOf({ path, input }: Operation, names: Record<string, string>, more?: string): string {
  const { properties = {}, required = [] } = input as ObjectSchema;
  const valueOf = (field: string) =>
    names[field] ?? properties[field]?.enum?.[0] ?? names['task_id'];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => valueOf(field) ?? '');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
  const fields = required.filter((field) => !inPath.includes(field));
  if (more !== undefined && !inPath.includes(more) && !fields.includes(more)) fields.push(more);
  const query = new URLSearchParams(fields.map((field) => [field, valueOf(field) ?? '']));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Every URL of every read: bare, and with each of the filters that name something. */
function urlsWith(names: Record<string, string>): string[] {
  return READS.flatMap(([, operation]) => {
    const { properties = {} } = operation.input as ObjectSchema;
    const filters = Object.keys(properties).filter((field) => names[field] !== undefined);
    return [undefined, ...filters].map((more) => urlOf(operation, names, more));
  });
}

const mark = fc.stringMatching(/^[a-z]{8}$/);

test('property: no read of one tenant shows anything of another, by whatever name it asks', async (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const pair = fc.tuple(mark, mark).filter(([a, b]) => a !== b);
  await fc.assert(
    fc.asyncProperty(pair, async ([ours, theirs]) => {
      await using secure = await openSecure();
      const a = await settle(secure, ours, 'acme');
      const b = await settle(secure, theirs, 'internal-two');
      await secure.house.during(new Promise((done) => setImmediate(done)), 100);
      let shown = 0;
      for (const [asker, other] of [
        [a, b],
        [b, a],
      ] as const) {
        for (const url of new Set([...urlsWith(asker.names), ...urlsWith(other.names)])) {
          const wire = asker.admin.signed({ method: 'GET', url });
          const { body, statusCode } = await secure.house.http.inject(wire);
          // What it asked for comes back in a refusal; what only the other one knows does not.
          const isEcho = statusCode >= 400;
          if (!isEcho) assert.ok(!withoutAsked(body, url).includes(other.mark), `${url}: ${body}`);
          assert.ok(statusCode !== 403 && statusCode < 500, `${url}: ${statusCode} ${body}`);
          if (body.includes(asker.mark) && !isEcho) shown += 1;
        }
      }
      // It would find nothing of others either if it found nothing at all.
      assert.ok(shown > 40, `only ${shown} reads showed what is the asker's own`);
    }),
    { seed, numRuns: 3 },
  );
});

/** Names that the asker has said himself, such as the capability of `routes.balance`. */
function withoutAsked(body: string, url: string): string {
  const said = decodeURIComponent(url).split(/[/?&=]/);
  return said
    .filter((word) => word.length > 3)
    .reduce((text, word) => text.replaceAll(word, ''), body);
}

test('what one tenant writes moves nothing of another that is called the same', async () => {
  await using secure = await openSecure();
  const open = async (tenant: string) => {
    const made = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
      kind: 'service',
      client_id: `${tenant}-admin`,
      role: 'admin',
      for_tenant: tenant,
    });
    const admin = signerOf(secure.house, made);
    const instance = { pull: true, instance_id: 'one' };
    await admin.ask('POST', '/v1/agents', {
      name: 'same',
      capabilities: [reading('look')],
      instance,
    });
    await admin.ask('PUT', '/v1/policies/grants', { doc: { rows: [{ who: '*', may: ['look'] }] } });
    const task = { task_id: 'same-task', task_type: 'look', payload: { tenant } };
    await admin.ask('POST', '/v1/tasks', task, { 'idempotency-key': 'same-key' });
    return admin;
  };
  const [a, b] = [await open('acme'), await open('beta')];

  await a.ask('POST', '/v1/agents/same/disable', {});
  await a.ask('POST', '/v1/tasks/same-task/cancel', {});
  await a.ask('PUT', '/v1/policies/grants', { doc: {} });

  const task = await b.ask<{ status: string }>('GET', '/v1/tasks/same-task');
  assert.equal(task.status, 'queued');
  const claimed = await b.ask<{ tasks: { payload: unknown }[] }>('POST', '/v1/tasks/claim', {
    agent_id: 'same',
  });
  assert.deepEqual(claimed.tasks[0]?.payload, { tenant: 'beta' });
  await a.ask('DELETE', '/v1/agents/same');
  await b.ask('GET', '/v1/agents/same');
  await assert.rejects(
    a.ask('POST', '/v1/tasks', { task_type: 'look', payload: {} }),
    failsWith('permission-denied'),
  );
});
