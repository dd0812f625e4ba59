import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { type Driver, scenario } from './driver.ts';
import { exerciseAgents } from './exercise-agents.ts';
import { exerciseAudit } from './exercise-audit.ts';
import { exerciseBudgets } from './exercise-budgets.ts';
import { exerciseConfirmations } from './exercise-confirmations.ts';
import { exerciseInstances } from './exercise-instances.ts';
import { exerciseLedger } from './exercise-ledger.ts';
import { exerciseLedgerModel } from './exercise-ledger-model.ts';
import { exerciseLooks } from './exercise-looks.ts';
import { exerciseRules } from './exercise-rules.ts';
import { exerciseShared } from './exercise-shared.ts';
import { exerciseTasks } from './exercise-tasks.ts';
import { exerciseTraces } from './exercise-traces.ts';

export type { Driver } from './driver.ts';

/**
 * Registers, with `node:test`, everything that the gateway relies on in a storage driver. It is
 * written against the docstrings of the SPI alone, so a driver that passes may be used.
 *
 * Time is passed as numbers: no test waits. A failing random test prints its seed; `REACH_SEED`
 * repeats it.
 */
export function exerciseStorage(driver: Driver): void {
  suite(`storage contract: ${driver.name}`, () => {
    exerciseBundle(driver);
    exerciseAgents(driver);
    exerciseInstances(driver);
    exerciseLooks(driver);
    exerciseLedger(driver);
    exerciseLedgerModel(driver);
    exerciseBudgets(driver);
    exerciseConfirmations(driver);
    exerciseRules(driver);
    exerciseTasks(driver);
    exerciseTraces(driver);
    exerciseAudit(driver);
    exerciseShared(driver);
  });
}

function exerciseBundle(driver: Driver): void {
  suite('the bundle', () => {
    scenario(driver, 'close may be called twice, then all that is asked is refused', async (s) => {
      await s.close();
      await s.close();

      const agent = { tenant: 'acme', agentId: 'crm' };
      for (const ask of [
        () => s.agents.leave({ ...agent, instanceId: 'i-1' }),
        () => s.agents.find(agent),
        () => s.tasks.get({ tenant: 'acme', taskId: 't1' }),
        () => s.tasks.list({ tenant: 'acme', limit: 1 }),
        () => s.rules.get({ tenant: 'acme', name: 'pins' }),
      ]) {
        await assert.rejects(ask(), { code: 'store-unavailable' });
      }
    });

    scenario(driver, 'what was asked before close is done', async (storage) => {
      const put = storage.rules.put({
        tenant: 'acme',
        name: 'pins',
        doc: '{}',
        by: 'ops',
        expectVersion: 0,
        now: 1,
      });

      await storage.close();

      assert.equal((await put).outcome, 'stored');
    });

    scenario(driver, 'the epoch is a word, and another one in another store', async (storage) => {
      await using other = await driver.open();

      assert.match(storage.epoch, /^[A-Za-z0-9_-]{8,64}$/);
      assert.notEqual(other.epoch, storage.epoch);
    });

    scenario(driver, 'the driver may be told to take its own time', async (storage) => {
      const claim = {
        scope: 'acme:ops',
        key: 'k',
        fingerprint: 'f',
        pinned: '{}',
        token: 't',
        claimMs: 60_000,
        ttlMs: 60_000,
      };

      await storage.ledger.claim({ ...claim, now: 'store' });

      const record = await storage.ledger.lookup({ scope: 'acme:ops', key: 'k', now: 'store' });
      assert.equal(record?.state, 'claimed');
    });

    const { reopen } = driver;
    if (reopen === undefined) return;
    scenario(driver, 'the epoch survives', async (storage) => {
      const { epoch } = storage;

      await using again = await reopen(storage);

      assert.equal(again.epoch, epoch);
    });
  });
}
