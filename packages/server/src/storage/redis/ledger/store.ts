import { answerOf } from '../../moves/gcra.ts';
import { demandWhole } from '../../spi/demand.ts';
import type { LedgerStore } from '../../spi/ledger.ts';
import { PIECE, record } from '../arguments.ts';
import { confirmationsOn } from '../confirmations/store.ts';
import type { Engine } from '../engine.ts';
import { items } from '../rows.ts';
import { budgetsOn } from './budgets.ts';
import { toKeyRecord } from './row.ts';

/** Keys, counters, budgets and confirmations. */
export function ledgerOn(engine: Engine): LedgerStore {
  return {
    ...budgetsOn(engine),
    ...confirmationsOn(engine),
    lookup: async (query) => {
      const known = await engine.runTogether('ledger/lookup', record(query));
      return known === null ? undefined : toKeyRecord(known);
    },
    claim: async (move) => {
      demandWhole('claimMs', move.claimMs, 0);
      demandWhole('ttlMs', move.ttlMs, 0);
      const held = await engine.runTogether('ledger/claim', record(move));
      return held === null
        ? { outcome: 'claimed' }
        : { outcome: 'held', record: toKeyRecord(held) };
    },
    extend: async (move) => {
      demandWhole('claimMs', move.claimMs, 0);
      return (await engine.runTogether('ledger/extend', record(move))) === 1;
    },
    settle: async ({ verdict, ...move }) => {
      demandWhole('ttlMs', move.ttlMs, 0);
      return (await engine.runTogether('ledger/settle', record({ ...move, ...verdict }))) === 1;
    },
    spend: async (move) => {
      demandWhole('ttlMs', move.ttlMs, 0);
      const [granted, total] = items(await engine.runTogether('ledger/spend', record(move)));
      return { granted: granted === 1, total: Number(total) };
    },
    pace: async (move) => {
      const [allowed, ahead] = items(await engine.run('ledger/pace', record(move)));
      return answerOf(allowed === 1, Math.max(0, Number(ahead)), move);
    },
    prune: async ({ limit, now }) => {
      let forgotten = 0;
      while (forgotten < limit) {
        const size = Math.min(limit - forgotten, PIECE);
        const count = Number(await engine.run('ledger/prune', [size, now]));
        forgotten += count;
        if (count < size) break;
      }
      return forgotten;
    },
  };
}
