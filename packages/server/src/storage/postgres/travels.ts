import { ReachError } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import {
  demandClaim,
  demandLease,
  demandProgress,
  demandSettle,
  demandSubmit,
} from '../moves/demand.ts';
import type { HolderOutcome, TasksStore } from '../spi/tasks.ts';
import { Company } from './company.ts';
import type { Connections } from './connections.ts';
import type { Claim, Claimed } from './tasks/claim-search.ts';
import { claimAll, isServedWith } from './tasks/claim.ts';
import { submitAll, type Submission } from './tasks/submit.ts';
import { speakAll, type Word } from './tasks/words.ts';
import type { Transaction } from './transaction.ts';

/** The moves that every task makes: what is asked of them at once is done at once. */
export type TravellingTasks = Pick<TasksStore, 'submit' | 'claim' | 'ack' | 'progress' | 'settle'>;

/**
 * The moves that travel in company. Those of one kind do: they lock the same rows in the same order,
 * and leave as one statement a table. What was told another time than the others goes by itself.
 */
export function travelsOn(
  connections: Connections,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): { tasks: TravellingTasks; flush: () => Promise<void> } {
  const together = <Move, Answer>(all: All<Move, Answer>, how: How<Move>) =>
    new Company<Move, Answer>({
      clock,
      timeoutMs,
      ...how,
      carry: (moves, limitMs) => {
        const purpose = moves.length > 1 ? 'company' : 'move';
        return connections.run((tx) => all(tx, moves), { purpose, limitMs });
      },
    });
  const submissions = together(submitAll, {
    weigh: ({ tasks }) => tasks.length,
    fits: isOfOneTime<Submission>,
  });
  const claims = together(claimAll, {
    weigh: ({ limit }) => limit,
    fits: (claim, others) => isOfOneTime(claim, others) && isServedWith(claim, others),
  });
  const words = together(speakAll, {
    weigh: () => 1,
    fits: (word, others) => word.move.now === others[0]?.move.now,
  });
  const tasks = travellersOf({ submissions, claims, words });
  const flush = async () => {
    await Promise.all([submissions.flush(), claims.flush(), words.flush()]);
  };
  return { tasks, flush };
}

type All<Move, Answer> = (tx: Transaction, moves: readonly Move[]) => Promise<Answer[]>;

type How<Move> = {
  weigh: (move: Move) => number;
  fits: (move: Move, others: readonly Move[]) => boolean;
};

function isOfOneTime<Move extends { now: unknown }>(move: Move, others: readonly Move[]): boolean {
  return move.now === others[0]?.now;
}

function travellersOf({
  submissions,
  claims,
  words,
}: {
  submissions: Company<Submission, Awaited<ReturnType<TasksStore['submit']>>>;
  claims: Company<Claim, Claimed[]>;
  words: Company<Word, HolderOutcome>;
}): TravellingTasks {
  return {
    submit: checked(demandSubmit, async (move: Submission) =>
      move.tasks.length === 0 ? [] : submissions.ask(move),
    ),
    claim: checked(demandClaim, (move: Claim) => claims.ask(move)),
    ack: checked(demandLease, (move: Said<'ack'>) => words.ask({ act: 'ack', move })),
    progress: checked(demandProgress, (move: Said<'progress'>) =>
      words.ask({ act: 'progress', move }),
    ),
    settle: checked(demandSettle, (move: Said<'settle'>) => words.ask({ act: 'settle', move })),
  };
}

type Said<Act> = Extract<Word, { act: Act }>['move'];

/** Refuses arguments that cannot be before they come into anybody's company. */
function checked<Move, Answer>(
  demand: (move: NoInfer<Move>) => void,
  ask: (move: Move) => Promise<Answer>,
): (move: Move) => Promise<Answer> {
  return async (move) => {
    try {
      demand(move);
    } catch (error) {
      throw ReachError.from(error);
    }
    return ask(move);
  };
}
