import {
  type Asker,
  type HandlersOf,
  type Input,
  type Intent,
  type IntentOwner,
  type Output,
  ReachError,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { diagnose } from './diagnose.ts';
import type { AgentEntry } from './directory.ts';
import { liftFence } from './fencing.ts';
import { heartbeat } from './leases.ts';
import type { RegistryPorts } from './ports.ts';
import { register } from './register.ts';
import { setIntent } from './registry.ts';
import { reachabilityView } from './score-view.ts';
import { search } from './search.ts';
import { knownAgent, tellOthers } from './sync.ts';
import { MINUTE_MS } from './trend.ts';
import { viewOf } from './view.ts';

/** What the registry answers. */
export function registryHandlers(ports: RegistryPorts): HandlersOf<'agents' | 'connectors'> {
  const show = (entry: AgentEntry) => viewOf(entry, ports);
  return {
    'agents.register': (input, asker) => register(input.manifest, asker, ports),
    'connectors.register': (input, asker) => register(input.manifest, asker, ports),
    'agents.list': (input, { tenant }) => ({
      agents: search(ports.directory, tenant, input).map(show),
    }),
    'agents.changes': ({ capability, agent, last_event_id: said }, { tenant, headers, signal }) => {
      const header = headers['last-event-id'];
      const lastId = typeof header === 'string' && header !== '' ? header : said;
      return ports.changes.read({ tenant, interest: { capability, agent }, lastId }, signal);
    },
    'connectors.list': (input, { tenant }) => ({
      connectors: search(ports.directory, tenant, { ...input, kind: 'connector' }).map(show),
    }),
    'agents.get': async (input, { tenant }) =>
      show(await demandAgent(tenant, input.agent_id, ports)),
    'agents.reachability': async (input, { tenant }) =>
      trendOf(await demandAgent(tenant, input.agent_name, ports), input, ports),
    'agents.versions': async (input, { tenant }) => {
      const { agentId } = (await demandAgent(tenant, input.agent_id, ports)).definition;
      const rows = await ports.storage.agents.versions({ tenant, agentId });
      return {
        versions: rows.map((row) => ({
          manifest_version: row.manifestVersion,
          at: iso(row.at),
          breaking: row.breaking,
          manifest: row.manifest,
        })),
      };
    },
    'agents.remove': (input, { tenant }) => remove(input, tenant, ports),
    'agents.heartbeat': (input, { tenant }) => heartbeat(tenant, input, ports),
    'agents.diagnose': async (input, { tenant }) => {
      const entry = await demandAgent(tenant, input.agent_id, ports);
      const chosen = [...entry.instances.values()].filter(
        (i) => input.instance_id === undefined || i.row.instanceId === input.instance_id,
      );
      const diagnoses = await Promise.all(chosen.map((i) => diagnose(entry, i, ports)));
      if (diagnoses.length > 0) return { agent_id: input.agent_id, diagnoses };
      return { agent_id: input.agent_id, diagnoses: [absent(input)] };
    },
    'agents.drain': (input, asker) =>
      intend(input, asker, { intent: 'draining', by: 'agent' }, ports),
    'agents.enable': (input, asker) =>
      intend(input, asker, { intent: 'enabled', by: 'operator' }, ports),
    'agents.disable': (input, asker) =>
      intend(input, asker, { intent: 'disabled', by: 'operator' }, ports),
  };
}

/** Unless somebody says otherwise, the last hour. */
const TREND_MINUTES = 60;

function trendOf(
  entry: AgentEntry,
  { minutes = TREND_MINUTES, instance_id: only }: Input<'agents.reachability'>,
  { clock, scores, trend }: RegistryPorts,
): Output<'agents.reachability'> {
  const now = clock.now();
  const chosen = [...entry.instances.values()].filter(
    ({ row }) => only === undefined || row.instanceId === only,
  );
  return {
    agent_name: entry.definition.agentId,
    every_ms: MINUTE_MS,
    until: iso(now - (now % MINUTE_MS)),
    instances: chosen.map((instance) => ({
      instance_id: instance.row.instanceId,
      observed: instance.observed,
      reachability: reachabilityView(scores.of(instance)),
      scores: trend.last(instance.key, minutes, now),
    })),
  };
}

async function demandAgent(
  tenant: string,
  agentId: string,
  ports: RegistryPorts,
): Promise<AgentEntry> {
  const entry = await knownAgent({ tenant, agentId }, ports);
  if (entry === undefined) {
    throw new ReachError('agent-not-found', `No agent is called ${agentId}.`, { agent: agentId });
  }
  return entry;
}

function absent(input: Input<'agents.diagnose'>) {
  const what = input.instance_id === undefined ? 'instance' : `instance ${input.instance_id}`;
  return {
    reachable: false,
    failing_step: 'address',
    steps: [
      {
        step: 'address' as const,
        verdict: 'failed' as const,
        detail: `${input.agent_id} has no ${what}.`,
        advice: 'Register it with network.base_url, or with instance{pull: true} if it pulls.',
      },
    ],
  };
}

async function remove(input: Input<'agents.remove'>, tenant: string, ports: RegistryPorts) {
  const { agent_id: agentId, instance_id: instanceId } = input;
  if (instanceId !== undefined) {
    const removed = await ports.storage.agents.leave({ tenant, agentId, instanceId });
    const instance = ports.directory.leave(tenant, agentId, instanceId);
    if (instance !== undefined) ports.board.drop(instance.key);
    if (removed) wentAway({ tenant, agentId }, ports);
    return { removed };
  }
  const removed = await ports.storage.agents.remove({ tenant, agentId });
  const entry = ports.directory.remove(tenant, agentId);
  for (const instance of entry?.instances.values() ?? []) ports.board.drop(instance.key);
  if (removed) wentAway({ tenant, agentId }, ports);
  return { removed };
}

function wentAway(at: { tenant: string; agentId: string }, ports: RegistryPorts): void {
  tellOthers(at, ports);
  ports.left(at);
}

async function intend(
  input: Input<'agents.drain'>,
  asker: Asker,
  want: { intent: Intent; by: IntentOwner },
  ports: RegistryPorts,
) {
  await demandAgent(asker.tenant, input.agent_id, ports);
  const rows = await setIntent(
    {
      tenant: asker.tenant,
      agentId: input.agent_id,
      ...want,
      ...(input.instance_id === undefined ? {} : { instanceId: input.instance_id }),
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    },
    ports,
  );
  if (want.intent === 'enabled') {
    const entry = ports.directory.agent(asker.tenant, input.agent_id);
    for (const { instanceId } of rows) {
      const instance = entry?.instances.get(instanceId);
      if (instance !== undefined) await liftFence(instance, ports);
    }
  }
  return {
    agent_id: input.agent_id,
    instances: rows.map((row) => ({
      instance_id: row.instanceId,
      intent: row.intent,
      set_by: row.intentBy,
    })),
  };
}
