import { type Output, ReachError } from '@agent-reach/core';
import { facts } from '../render/table.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';
import { showDiagnosis } from './diagnose.ts';
import { readManifestFrom } from './manifest.ts';

/** `reach agents register`. */
export const registerAgent = (use: Use, session: Session) =>
  register('agents.register', use, session);
/** `reach connectors register`. */
export const registerConnector = (use: Use, session: Session) =>
  register('connectors.register', use, session);

async function register(
  name: 'agents.register' | 'connectors.register',
  use: Use,
  session: Session,
): Promise<void> {
  const source = use.required(0);
  const manifest = await readManifestFrom(source, session.world);
  if (!isRecord(manifest)) {
    throw new ReachError('validation-failed', `${source} holds no manifest: a map of fields.`);
  }
  const data = await session.ask(name, { manifest });
  session.answer(data, (page) => {
    const { diagnosis } = data;
    const head = facts(factsOf(data), page);
    return diagnosis === undefined ? head : head + showDiagnosis(diagnosis, page);
  });
  session.warn(data.warnings);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function factsOf(data: Output<'agents.register'>): [string, string | number | undefined][] {
  return [
    ['agent', data.agent_id],
    ['outcome', data.outcome],
    ['manifest', data.manifest_version],
    ['instance', data.instance?.instance_id],
    ['lease', data.instance === undefined ? undefined : `${data.instance.lease_ms / 1_000} s`],
    ['breaking', data.breaking.length === 0 ? undefined : data.breaking.join('; ')],
  ];
}
