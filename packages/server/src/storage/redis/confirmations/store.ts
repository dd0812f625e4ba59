import { demandOpening } from '../../moves/confirmation.ts';
import type { Confirmation, ConfirmationMoves, ConsumeRefusal } from '../../spi/confirmations.ts';
import { PIECE, record } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { fields, items, rowOf } from '../rows.ts';

/** Confirmations, one script a move. */
export function confirmationsOn(engine: Engine): ConfirmationMoves {
  return {
    openConfirmation: async (move) => {
      demandOpening(move);
      return (await engine.run('confirmations/open', record(move))) === 1 ? 'opened' : 'full';
    },
    findConfirmation: async (query) => {
      const found = await engine.run('confirmations/find', record(query));
      if (found === null) return undefined;
      const [row, leftMs] = items(found);
      return { row: confirmationOf(row), leftMs: Number(leftMs) };
    },
    decideConfirmation: async (move) =>
      (await engine.run('confirmations/decide', record(move))) as 'decided' | 'late' | 'unknown',
    consumeConfirmation: async (move) =>
      (await engine.run('confirmations/consume', record(move))) as 'consumed' | ConsumeRefusal,
    listConfirmations: async (query) =>
      items(await engine.run('confirmations/list', record(query))).map(confirmationOf),
    pruneConfirmations: async ({ limit, now }) => {
      let forgotten = 0;
      while (forgotten < limit) {
        const size = Math.min(limit - forgotten, PIECE);
        const count = Number(await engine.run('confirmations/prune', [size, now]));
        forgotten += count;
        if (count < size) break;
      }
      return forgotten;
    },
  };
}

function confirmationOf(reply: Reply | undefined): Confirmation {
  return rowOf<Confirmation>(
    {
      tenant: 'text',
      id: 'text',
      principal: 'text',
      digest: 'text',
      codeHash: 'text',
      about: 'text',
      state: 'text',
      tries: 'number',
      decision: 'text',
      createdAt: 'number',
      expiresAt: 'number',
    },
    fields(reply),
  );
}
