import { writeSync } from 'node:fs';
import { idsFrom, seededRandom, silentLog, systemClock } from '@agent-reach/core/kernel';
import { openSqlite } from '../open.ts';
import { type Answered, MOVES, type MoveKind } from './crash-moves.ts';

/**
 * The process that `crash.process.test.ts` kills: makes moves of every kind, many at once, and
 * says each one on standard output once it has been answered, not before.
 *
 * `node crash-writer.ts <dir> <round> <writers> [moves]`
 */
const [dir = '', round = '0', writers = '1', moves = 'Infinity'] = process.argv.slice(2);

const random = seededRandom(Number(round));
const ids = idsFrom(systemClock, random);
const storage = await openSqlite({ dir, clock: systemClock, random, log: silentLog });
const kinds = Object.keys(MOVES) as MoveKind[];

await Promise.all(
  Array.from({ length: Number(writers) }, async (_, writer) => {
    const name = `${round}-${writer}`;
    for (let n = 0; n < Number(moves); n++) {
      const kind = kinds[random.below(kinds.length)] ?? 'claim';
      const id = `${name}-${n}-${ids.span()}`;
      const answered: Answered = { kind, id };
      await MOVES[kind].make(storage, id);
      // Straight to the pipe: a line that waits in a buffer of this process would die with it.
      writeSync(1, `${JSON.stringify(answered)}\n`);
    }
  }),
);
await storage.close();
