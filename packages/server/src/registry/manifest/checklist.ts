import { type Issue, type Manifest, ReachError } from '@agent-reach/core';
import { admitManifest } from './admission.ts';
import { fallbackWarnings } from './fallbacks.ts';
import { normaliseManifest } from './normalise.ts';

/** One line of the joining checklist. */
export interface ChecklistItem {
  name: string;
  verdict: 'passed' | 'failed' | 'warning';
  detail: string;
  advice?: string;
}

/** The joining checklist: every rule that a registration meets, in order; never throws. */
export function checklist(
  body: unknown,
  rules: { idempotency: 'writes' | 'all'; callTimeoutMaxMs: number } = {
    idempotency: 'writes',
    callTimeoutMaxMs: 60_000,
  },
): ChecklistItem[] {
  let read: ReturnType<typeof normaliseManifest>;
  try {
    read = normaliseManifest(body, rules);
  } catch (thrown) {
    return failures(ReachError.from(thrown));
  }
  const { manifest, warnings } = read;
  const admitted = admitManifest(manifest, rules);
  return [
    passed(
      'Form',
      `${manifest.kind} ${manifest.agent_id}, manifest schema ${manifest.schema_version}`,
    ),
    ...warnings.map((detail) => warning('Reading', detail)),
    addressItem(read),
    heartbeatItem(manifest),
    ...schemaItems(manifest),
    passed(
      'Time limits',
      manifest.capabilities.map((c) => `${c.name} ${c.sla.timeout_ms} ms`).join(', '),
    ),
    ...effectItems(manifest, admitted.refusals),
    ...admitted.warnings.map((detail) => warning('Descriptions and declarations', detail)),
    ...fallbackItems(manifest),
    ...boundaryItems(manifest),
  ];
}

function passed(name: string, detail: string): ChecklistItem {
  return { name, verdict: 'passed', detail };
}

function warning(name: string, detail: string, advice?: string): ChecklistItem {
  return { name, verdict: 'warning', detail, ...(advice === undefined ? {} : { advice }) };
}

/** The rule that a fault breaks, told by its code and by where it points. */
const RULES: readonly (readonly [name: string, pointer: RegExp, advice: string])[] = [
  [
    'Schemas',
    /\/(?:input|output)(?:_schema)?(?:\/|$)/,
    'Write JSON Schema 2020-12, or fields in short form.',
  ],
  ['Time limits', /timeout_ms$/, 'Say what the work takes at worst; what takes longer is a task.'],
  [
    'Address',
    /\/(?:base_url|health_path|health_endpoint|path|endpoint)$/,
    'http(s)://host:port, and a path that begins with "/".',
  ],
  [
    'Names',
    /\/aliases\/\d+$/,
    'An alias is a name as people say it, of any script: one line with a letter or a digit.',
  ],
  [
    'Names',
    /\/(?:name|agent_name|agent_id|id|display_name|connector)$/,
    'An id is ASCII; display_name may be of any script.',
  ],
];

function failures(error: ReachError): ChecklistItem[] {
  const issues: readonly Issue[] = error.facts.errors ?? [];
  if (issues.length === 0) return [failed('Form', error.message)];
  return issues.map(({ pointer, detail }) => {
    if (error.code === 'validation-failed') return failed('Form', `${pointer} ${detail}`);
    const rule = RULES.find(([, where]) => where.test(pointer));
    return failed(rule?.[0] ?? 'Rules', `${pointer} ${detail}`, rule?.[2]);
  });
}

function failed(name: string, detail: string, advice?: string): ChecklistItem {
  return { name, verdict: 'failed', detail, ...(advice === undefined ? {} : { advice }) };
}

function addressItem({ manifest, instance }: ReturnType<typeof normaliseManifest>): ChecklistItem {
  if (manifest.kind === 'connector') {
    return passed('Address', String(manifest.capabilities[0]?.action?.['endpoint']));
  }
  const url = instance?.base_url ?? manifest.network.base_url;
  if (url === undefined) {
    if (instance?.pull === true) return passed('Address', 'none needed: it pulls its work');
    return warning(
      'Address',
      'none is said',
      'Give network.base_url, or register from the SDK, which says where it runs.',
    );
  }
  if (/^https?:\/\/(localhost|127\.|\[::1\])/.test(url)) {
    return warning(
      'Address',
      `${url} is this machine only`,
      'A gateway on another machine refuses it: register an address that the gateway can reach.',
    );
  }
  return passed('Address', `${url}, health at ${manifest.network.health_path}`);
}

function heartbeatItem(manifest: Manifest): ChecklistItem {
  const ms = manifest.network.heartbeat_interval_ms;
  if (ms === 0) return passed('Heartbeat', 'none: the gateway’s probes keep the lease');
  return passed('Heartbeat', ms === undefined ? 'as the gateway says' : `every ${ms / 1000} s`);
}

/** What is not declared is a warning of the admission already. */
function schemaItems(manifest: Manifest): ChecklistItem[] {
  const isDeclared = (schema: object) => Object.keys(schema).length > 0;
  return manifest.capabilities
    .filter(({ input, output }) => isDeclared(input) && isDeclared(output))
    .map(({ name }) => passed('Schemas', `${name}: input and output are declared and sound`));
}

function effectItems(manifest: Manifest, refusals: readonly Issue[]): ChecklistItem[] {
  if (refusals.length > 0) {
    const advice =
      'idempotency: gateway keeps the first result per key for you; key says that you honour Idempotency-Key; natural that repeating changes nothing.';
    return refusals.map(({ pointer, detail }) =>
      failed('Idempotency', `${pointer} ${detail}`, advice),
    );
  }
  const declared = manifest.capabilities.filter((c) => c.effect !== undefined);
  if (declared.length === 0) return [];
  return [
    passed(
      'Idempotency',
      declared.map((c) => `${c.name} ${c.effect} ${c.idempotency ?? ''}`.trim()).join(', '),
    ),
  ];
}

/** Who else offers what, a gateway says when the manifest is registered. */
function fallbackItems(manifest: Manifest): ChecklistItem[] {
  const own = (name: string) => {
    const found = manifest.capabilities.filter((capability) => capability.name === name);
    return found.length === 0 ? undefined : found;
  };
  return fallbackWarnings(manifest, own).map((detail) => warning('Fallbacks', detail));
}

function boundaryItems(manifest: Manifest): ChecklistItem[] {
  const without = manifest.capabilities.filter((c) => c.not_for.length === 0).map((c) => c.name);
  if (without.length === 0)
    return [passed('Boundaries', 'every capability says what it does not do')];
  return [
    warning(
      'Boundaries',
      `${without.join(', ')} without not_for`,
      'Say what it is not for: callers who choose by meaning then choose right.',
    ),
  ];
}
