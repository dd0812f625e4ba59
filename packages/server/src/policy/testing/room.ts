import type { Asker } from '@agent-reach/core';
import { defaultsOf, idsFrom, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { budgetShare } from '../../storage/moves/budget-share.ts';
import type { LedgerStore } from '../../storage/spi/ledger.ts';
import { openSqlite } from '../../storage/sqlite/open.ts';
import { BudgetBook } from '../budgets/book.ts';
import { ConfirmationBook } from '../confirmations/book.ts';
import { permitsAll } from '../grants.ts';
import { POLICY_OPTIONS } from '../options.ts';
import type { PolicyPorts } from '../ports.ts';

/** What of the ledger was asked, by name. */
export interface PolicyRoom extends AsyncDisposable {
  clock: ManualClock;
  ports: PolicyPorts;
  asked: (keyof LedgerStore)[];
}

/** Policy on a real ledger in memory and a clock that the test owns. */
export async function openRoom(options: Partial<PolicyPorts['options']> = {}): Promise<PolicyRoom> {
  const clock = new ManualClock();
  const random = seededRandom(11);
  const storage = await openSqlite({ dir: ':memory:', clock, random, log: silentLog });
  const asked: (keyof LedgerStore)[] = [];
  const ledger = new Proxy(storage.ledger, {
    get(target, name: keyof LedgerStore) {
      asked.push(name);
      return target[name];
    },
  });
  const ports: PolicyPorts = {
    ledger,
    clock,
    ids: idsFrom(clock, random),
    now: () => clock.now(),
    random,
    tokenKey: random.bytes(32),
    permitsFor: () => permitsAll,
    budgets: new BudgetBook(),
    budgetShare: budgetShare(() => 1),
    confirmations: new ConfirmationBook('caller'),
    log: silentLog,
    options: { ...defaultsOf(POLICY_OPTIONS), ...options },
  };
  return { clock, ports, asked, [Symbol.asyncDispose]: () => storage.close() };
}

/** Who asks, in a test. */
export function askerOf(over: Partial<Asker> = {}): Asker {
  return {
    tenant: 'internal',
    principal: 'shop',
    peer: '127.0.0.1',
    headers: {},
    signal: new AbortController().signal,
    ...over,
  };
}
