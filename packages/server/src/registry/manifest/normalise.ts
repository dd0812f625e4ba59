import {
  type Issue,
  issuesOf,
  type Manifest,
  ManifestFormA,
  ManifestFormC,
  ManifestFormD,
  OPERATIONS,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { type InstanceInput, readAgent } from './read-agent.ts';
import { readConnector } from './read-connector.ts';
import { type IntakeLimits, Reading } from './reading.ts';
import { invisibleFaults } from './text.ts';
import { dropUnknown } from './versions.ts';

export type { InstanceInput } from './read-agent.ts';
export type { IntakeLimits } from './reading.ts';

/** A manifest in the one form that everything inside uses, and what came with it. */
export interface Normalised {
  manifest: Manifest;
  /** Of the process that registers; none when the body says nothing of one. */
  instance: InstanceInput | undefined;
  warnings: string[];
}

/**
 * Reads a manifest of any form into the canonical one. The form is told by its
 * keys. Nothing is dropped in silence: an unknown field is refused by its pointer, or named in a
 * warning when the manifest says that it is of a newer schema. Fields that begin with `x-` are
 * their author's own and are not kept. Pure: equal bodies give equal manifests.
 *
 * Throws `validation-failed` for what is malformed, `manifest-refused` for what breaks a rule,
 * `timeout-order` for a time limit that does not fit; `errors` holds the first 8 faults, whose
 * pointers lead into the body as it was sent.
 */
export function normaliseManifest(body: unknown, limits: IntakeLimits): Normalised {
  const { form, schema } = formOf(body);
  const { value, warnings } = dropUnknown(schema, body as Record<string, unknown>);
  const issues = issuesOf(schema, value);
  if (issues.length > 0) throw validationFailed('The manifest', issues);
  demandVisible(value);
  const reading = new Reading(warnings, limits);
  reading.refuse(schemaVersionFault(value));
  const read =
    form === 'D'
      ? { manifest: readConnector(value as ManifestFormD, reading), instance: undefined }
      : readAgent(value as ManifestFormA | ManifestFormC, reading);
  reading.refuse(takenNameFault(value, read.manifest.agent_id));
  reading.finish(read.manifest.agent_id);
  return { ...read, warnings };
}

function formOf(body: unknown) {
  const has = (name: string) =>
    typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  if (has('connector') && has('endpoint')) return { form: 'D' as const, schema: ManifestFormD };
  if (has('agent_name')) return { form: 'C' as const, schema: ManifestFormC };
  if (has('name')) return { form: 'A' as const, schema: ManifestFormA };
  const forms = 'name and capabilities, or agent_name and capabilities, or connector and endpoint';
  throw validationFailed('The manifest', [
    { pointer: '#/name', detail: `is missing: a manifest has ${forms}` },
  ]);
}

/** Before anything is said of the body: a message that repeats such a text would carry it on. */
function demandVisible(body: unknown): void {
  const issues = invisibleFaults(body);
  const [first] = issues;
  if (first === undefined) return;
  throw new ReachError(
    'manifest-refused',
    `The manifest is refused: ${first.pointer} ${first.detail}.`,
    { errors: issues },
  );
}

/** Names of operations that stand where an agent's own would: whoever asks for it would get them. */
const TAKEN: ReadonlySet<string> = new Set(
  Object.values(OPERATIONS).flatMap(
    ({ path }) => /^\/v1\/agents\/([^/{}]+)$/.exec(path)?.slice(1) ?? [],
  ),
);

function takenNameFault(body: Record<string, unknown>, agentId: string): Issue | undefined {
  if (!TAKEN.has(agentId)) return undefined;
  const said = ['agent_id', 'id', 'agent_name', 'connector', 'name'];
  const at = said.find((name) => body[name] !== undefined) ?? 'name';
  const detail = `is "${agentId}", which no agent may be called: /v1/agents/${agentId} is an operation`;
  return { pointer: `#/${at}`, detail };
}

function schemaVersionFault(body: Record<string, unknown>): Issue | undefined {
  const { schema_version: one, manifest_schema_version: other } = body;
  if (one === undefined || other === undefined || one === other) return undefined;
  const detail = `is ${Number(other)}, but schema_version is ${Number(one)}: give one of them`;
  return { pointer: '#/manifest_schema_version', detail };
}
