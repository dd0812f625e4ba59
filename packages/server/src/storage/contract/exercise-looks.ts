import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { type Driver, scenario } from './driver.ts';
import { defined } from './exercise-agents.ts';
import { AGENT, INSTANCE, JOIN, joined } from './exercise-instances.ts';

/** Looks at agents: of a gateway that hears of one, and of one that compares all. */
export function exerciseLooks(driver: Driver): void {
  suite('agents: looks', () => {
    scenario(
      driver,
      'one agent is found with its instances by name, and nobody else’s',
      async (s) => {
        await defined(s.agents, AGENT);
        await defined(s.agents, { ...AGENT, agentId: 'crm2' });
        await defined(s.agents, { ...AGENT, tenant: 'other' });
        const late = await joined(s.agents, {
          ...JOIN,
          instance: { ...INSTANCE, instanceId: 'i-2' },
        });
        const early = await joined(s.agents);
        await joined(s.agents, { ...JOIN, agentId: 'crm2' });
        await joined(s.agents, { ...JOIN, tenant: 'other' });

        const found = await s.agents.find(AGENT);

        const { definitions } = await s.agents.load();
        assert.deepEqual(found?.definition, definitions[0]);
        assert.deepEqual(found?.instances, [early, late]);
      },
    );

    scenario(
      driver,
      'an agent without instances is found, one that was removed is not',
      async (s) => {
        assert.equal(await s.agents.find(AGENT), undefined);
        await defined(s.agents, AGENT);

        assert.deepEqual((await s.agents.find(AGENT))?.instances, []);
        await s.agents.remove(AGENT);

        assert.equal(await s.agents.find(AGENT), undefined);
      },
    );

    scenario(
      driver,
      'a survey is all that is loaded, without the manifests',
      async ({ agents }) => {
        assert.deepEqual(await agents.survey(), { definitions: [], instances: [] });
        for (const agentId of ['crm', 'erp']) {
          await defined(agents, { ...AGENT, agentId });
          await joined(agents, { ...JOIN, agentId });
        }

        const { definitions, instances } = await agents.survey();

        const mark = { tenant: 'acme', manifestVersion: 1, digest: 'd1' };
        assert.deepEqual(definitions, [
          { ...mark, agentId: 'crm' },
          { ...mark, agentId: 'erp' },
        ]);
        assert.deepEqual(instances, (await agents.load()).instances);
      },
    );
  });
}
