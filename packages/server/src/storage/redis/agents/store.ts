import type { AgentsStore, DefinitionMark, DefinitionRow, InstanceRow } from '../../spi/agents.ts';
import { demandWhole } from '../../spi/demand.ts';
import { PIECE, record } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { items, json } from '../rows.ts';
import { toDefinition, toInstance, toVersion } from './row.ts';

/** Agents, their versions and their instances. */
export function agentsOn(engine: Engine): AgentsStore {
  return {
    load: () => load(engine),
    find: (query) => find(engine, query),
    survey: () => survey(engine),
    define: async ({ manifest, breaking, ...move }) => {
      const words = record({
        ...move,
        agentId: manifest.agent_id,
        manifest: JSON.stringify(manifest),
        breaking: JSON.stringify(breaking),
      });
      const [outcome, row] = items(await engine.run('agents/define', words));
      return { outcome: outcome as 'stored' | 'unchanged' | 'conflict', row: toDefinition(row) };
    },
    join: async ({ instance, ...move }) => {
      demandWhole('leaseMs', instance.leaseMs, 0);
      const words = record({ ...move, ...instance, tags: JSON.stringify(instance.tags) });
      const [outcome, row] = items(await engine.run('agents/join', words));
      if (outcome === 'unknown') return { outcome };
      return { outcome: outcome as 'joined' | 'held', row: toInstance(row) };
    },
    renew: async ({ reported, ...move }) => {
      demandWhole('leaseMs', move.leaseMs, 0);
      const words = record({ ...move, reported: JSON.stringify(reported) });
      const [outcome, row] = items(await engine.run('agents/renew', words));
      if (outcome === 'unknown') return { outcome };
      return { outcome: outcome as 'renewed' | 'stale', row: toInstance(row) };
    },
    setIntent: async (move) =>
      items(await engine.run('agents/set-intent', record(move))).map(toInstance),
    leave: async ({ tenant, agentId, instanceId }) =>
      (await engine.run('agents/leave', [tenant, agentId, instanceId])) === 1,
    remove: async ({ tenant, agentId }) =>
      (await engine.run('agents/remove', [tenant, agentId])) === 1,
    versions: async ({ tenant, agentId }) =>
      items(await engine.run('agents/versions', [tenant, agentId])).map(toVersion),
    sweep: (move) => sweep(engine, move),
  };
}

async function load(engine: Engine) {
  const definitions: DefinitionRow[] = [];
  const instances: InstanceRow[] = [];
  for await (const [definition, rows] of pages(engine, 'agents/load')) {
    definitions.push(toDefinition(definition));
    instances.push(...items(rows).map(toInstance));
  }
  return { definitions, instances };
}

async function survey(engine: Engine) {
  const definitions: DefinitionMark[] = [];
  const instances: InstanceRow[] = [];
  for await (const [mark, rows] of pages(engine, 'agents/survey')) {
    const [tenant = '', agentId = '', version, digest = ''] = items(mark).map(String);
    definitions.push({ tenant, agentId, manifestVersion: Number(version), digest });
    instances.push(...items(rows).map(toInstance));
  }
  return { definitions, instances };
}

/** Agent by agent, by the bytes of their names. */
async function* pages(
  engine: Engine,
  script: 'agents/load' | 'agents/survey',
): AsyncGenerator<(Reply | undefined)[]> {
  let after = '';
  for (;;) {
    const page = items(await engine.run(script, [after, PIECE])).map(items);
    for (const [, agent, instances] of page) yield [agent, instances];
    const last = page.at(-1);
    if (last === undefined || page.length < PIECE) return;
    after = String(last[0]);
  }
}

async function find(engine: Engine, name: { tenant: string; agentId: string }) {
  const [definition, rows] = items(await engine.run('agents/find', [name.tenant, name.agentId]));
  if (definition === undefined) return undefined;
  return { definition: toDefinition(definition), instances: items(rows).map(toInstance) };
}

async function sweep(
  engine: Engine,
  { goneForMs, limit, now }: Parameters<AgentsStore['sweep']>[0],
) {
  const gone: Pick<InstanceRow, 'tenant' | 'agentId' | 'instanceId'>[] = [];
  while (gone.length < limit) {
    const size = Math.min(limit - gone.length, PIECE);
    const names = items(await engine.run('agents/sweep', [goneForMs, size, now]));
    for (const name of names) {
      const [tenant = '', agentId = '', instanceId = ''] = json(name) as string[];
      gone.push({ tenant, agentId, instanceId });
    }
    if (names.length < size) break;
  }
  return gone;
}
