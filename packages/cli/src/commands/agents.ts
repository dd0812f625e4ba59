import type { AgentView, Capability, InstanceView, Output } from '@agent-reach/core';
import { byWord, lookOf } from '../render/looks.ts';
import { ago, readMoment, span } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { scoreFormula } from '../render/score.ts';
import { type Column, facts, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach agents list`. */
export async function listAgents(use: Use, session: Session): Promise<void> {
  const input: Record<string, unknown> = given({
    q: use.operand(0),
    capability: use.text('capability'),
    tag: use.text('tag'),
    status: use.text('status'),
    kind: use.text('kind'),
    available: use.on('available') || undefined,
  });
  // The gateway holds the words to its own table and says what is allowed.
  const data = await session.ask('agents.list', input);
  session.list(data, data.agents, agentColumns(session));
}

/** `reach connectors list`. */
export async function listConnectors(use: Use, session: Session): Promise<void> {
  const data = await session.ask('connectors.list', given({ q: use.operand(0) }));
  session.list(data, data.connectors, agentColumns(session));
}

/** `reach agents get`. */
export async function getAgent(use: Use, session: Session): Promise<void> {
  const agent = await session.ask('agents.get', { agent_id: use.required(0) });
  session.answer(agent, (page) => showAgent(agent, session, page));
}

/** `reach agents versions`. */
export async function listVersions(use: Use, session: Session): Promise<void> {
  const data = await session.ask('agents.versions', { agent_id: use.required(0) });
  session.list(data, data.versions, VERSION_COLUMNS);
}

/** `reach agents remove`. */
export async function removeAgent(use: Use, session: Session): Promise<void> {
  const id = use.required(0);
  const input = { agent_id: id, ...given({ instance_id: use.text('instance') }) };
  const data = await session.ask('agents.remove', input);
  session.answer(data, () => (data.removed ? `${id} removed\n` : `${id} was not there\n`));
}

/** `reach agents drain`. */
export const drainAgent = (use: Use, session: Session) => setIntent('agents.drain', use, session);
/** `reach agents enable`. */
export const enableAgent = (use: Use, session: Session) => setIntent('agents.enable', use, session);
/** `reach agents disable`. */
export const disableAgent = (use: Use, session: Session) =>
  setIntent('agents.disable', use, session);

async function setIntent(
  name: 'agents.drain' | 'agents.enable' | 'agents.disable',
  use: Use,
  session: Session,
): Promise<void> {
  const data = await session.ask(name, {
    agent_id: use.required(0),
    ...given({ instance_id: use.text('instance'), reason: use.text('reason') }),
  });
  session.list(data, data.instances, INTENT_COLUMNS);
}

const INTENT_COLUMNS: Column<Output<'agents.drain'>['instances'][number]>[] = [
  { title: 'INSTANCE', of: (row) => row.instance_id },
  { title: 'INTENT', of: (row) => row.intent, paint: byWord },
  { title: 'SET BY', of: (row) => row.set_by },
];

const VERSION_COLUMNS: Column<Output<'agents.versions'>['versions'][number]>[] = [
  { title: 'MANIFEST', of: (row) => row.manifest_version, align: 'right' },
  { title: 'VERSION', of: (row) => row.manifest.version ?? '' },
  { title: 'AT', of: (row) => row.at },
  { title: 'CAPABILITIES', of: (row) => names(row.manifest.capabilities), flexible: true },
  { title: 'BREAKING', of: (row) => row.breaking.join('; '), flexible: true },
];

function agentColumns(session: Session): Column<AgentView>[] {
  return [
    { title: 'AGENT', of: (agent) => agent.agent_id },
    { title: 'NAME', of: (agent) => agent.display_name, flexible: true },
    { title: 'STATUS', of: (agent) => agent.status, paint: byWord },
    { title: 'VERSION', of: (agent) => agent.version ?? '' },
    { title: 'UP', of: routableOf, align: 'right' },
    { title: 'SEEN', of: (agent) => seen(agent.last_seen, session) },
    { title: 'CAPABILITIES', of: (agent) => names(agent.capabilities), flexible: true },
  ];
}

/** How many of its instances a route would take. */
function routableOf({ instances }: AgentView): string {
  return `${instances.filter((instance) => instance.routable).length}/${instances.length}`;
}

function showAgent(agent: AgentView, session: Session, page: Page): string {
  const version = agent.version === undefined ? '' : `${agent.version}, `;
  const head = facts(
    [
      ['agent', agent.agent_id],
      ['name', agent.display_name],
      ['description', agent.description],
      ['status', agent.status, lookOf(agent.status)],
      ['version', `${version}manifest ${agent.manifest_version}`],
      ['breaking', agent.breaking?.join('; '), 'yellow'],
      ['owner', agent.owner],
      ['tags', tagsOf(agent.tags)],
      ['seen', seen(agent.last_seen, session)],
    ],
    page,
  );
  const parts = [head];
  if (agent.capabilities.length > 0) parts.push(table(agent.capabilities, CAPABILITIES, page));
  if (agent.instances.length > 0) {
    parts.push(table(agent.instances, instanceColumns(session), page));
    parts.push(table(agent.instances, SCORES, page));
  }
  return parts.join('\n');
}

const CAPABILITIES: Column<Capability>[] = [
  { title: 'CAPABILITY', of: (row) => row.name },
  { title: 'EFFECT', of: (row) => row.effect ?? 'undeclared' },
  { title: 'TIMEOUT', of: (row) => span(row.sla.timeout_ms), align: 'right' },
  { title: 'TAGS', of: (row) => tagsOf(row.tags), flexible: true },
  { title: 'DESCRIPTION', of: (row) => row.description, flexible: true },
  { title: 'FOUND BY', of: (row) => row.strategy ?? 'auto' },
  { title: 'ALIASES', of: (row) => row.aliases?.join(', '), flexible: true },
];

function instanceColumns(session: Session): Column<InstanceView>[] {
  return [
    { title: 'INSTANCE', of: (row) => row.instance_id },
    { title: 'OBSERVED', of: (row) => row.observed, paint: byWord },
    { title: 'INTENT', of: (row) => row.intent, paint: byWord },
    { title: 'ROUTED', of: (row) => (row.routable ? 'yes' : 'no') },
    { title: 'ADDRESS', of: (row) => row.base_url ?? row.mode },
    { title: 'IN FLIGHT', of: (row) => row.inflight, align: 'right' },
    { title: 'RTT MS', of: (row) => row.rtt_ms, align: 'right' },
    { title: 'SCORE', of: (row) => row.reachability.score, align: 'right' },
    { title: 'HEARD', of: (row) => seen(row.last_heartbeat, session) },
    { title: 'WHY', of: (row) => whyOf(row, session), flexible: true },
  ];
}

/** Why it stands as it does; of a fence also for how long. */
function whyOf(row: InstanceView, session: Session): string {
  const why = row.intent_reason ?? row.observed_cause;
  if (row.fence === undefined) return why;
  const { until, times } = row.fence;
  const leftMs = (readMoment(until) ?? 0) - session.clock.now();
  const left = leftMs > 0 ? `for ${span(leftMs)} more` : 'until probes pass';
  return `${left}${times > 1 ? ` (${times} in ten minutes)` : ''}: ${why}`;
}

const SCORES: Column<InstanceView>[] = [
  { title: 'INSTANCE', of: (row) => row.instance_id },
  { title: 'SCORE', of: (row) => row.reachability.score, align: 'right' },
  {
    title: 'HEALTH, ROOM, ROUND TRIP, ERRORS',
    of: (row) => scoreFormula(row.reachability),
    flexible: true,
  },
];

/** People read how long ago it was, programs the moment itself. */
function seen(moment: string | undefined, session: Session): string {
  if (moment === undefined) return '';
  const at = session.page.width === undefined ? undefined : readMoment(moment);
  return at === undefined ? moment : ago(at, session.clock.now());
}

function names(capabilities: readonly Capability[]): string {
  return capabilities.map(({ name }) => name).join(', ');
}

function tagsOf(tags: Readonly<Record<string, string>>): string {
  const words = Object.entries(tags).map(([key, value]) =>
    value === '' ? key : `${key}=${value}`,
  );
  return words.join(', ');
}
