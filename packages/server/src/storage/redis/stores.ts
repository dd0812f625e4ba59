import type { Log } from '@agent-reach/core/kernel';
import type { Storage } from '../spi/storage.ts';
import type { TracesStore } from '../spi/traces.ts';
import { agentsOn } from './agents/store.ts';
import type { Engine } from './engine.ts';
import { ledgerOn } from './ledger/store.ts';
import { rulesOn } from './rules/store.ts';
import { tasksOn } from './tasks/store.ts';
import { tracesOn } from './traces/store.ts';

/** The stores of one engine, each method bounded by its life and its errors. */
export function storesOn(
  engine: Engine,
  log: Log,
): Pick<Storage, 'agents' | 'tasks' | 'ledger' | 'traces' | 'rules'> {
  return {
    agents: performed(engine, agentsOn(engine)),
    tasks: performed(engine, tasksOn(engine)),
    ledger: performed(engine, ledgerOn(engine)),
    traces: forgiving(performed(engine, tracesOn(engine)), log),
    rules: performed(engine, rulesOn(engine)),
  };
}

type Method = (move: never) => Promise<unknown>;

function performed<Store extends object>(engine: Engine, store: Store): Store {
  const methods = Object.entries(store as Record<string, Method>).map(([name, method]) => [
    name,
    (move: never) => engine.perform(() => method(move)),
  ]);
  return Object.fromEntries(methods) as Store;
}

/** Hops may be lost: nobody waits for them. It is told once, until some are kept again. */
function forgiving(traces: TracesStore, log: Log): TracesStore {
  let isTold = false;
  const append: TracesStore['append'] = async (records) => {
    try {
      await traces.append(records);
      isTold = false;
    } catch (error) {
      if (!isTold) log.warn({ hops: records.length, error: String(error) }, 'Hops are being lost.');
      isTold = true;
    }
  };
  return { ...traces, append };
}
