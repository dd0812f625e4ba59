import { isTaskEnd } from '@agent-reach/core';
import { type Kept, TasksModel } from './tasks-model.ts';

/**
 * Models that are wrong in one rule each. Told the same histories, a right driver must differ from
 * every one of them: a rule whose loss no history shows is a rule that nothing holds.
 */
export const FAULTS: Readonly<Record<string, () => TasksModel>> = {
  'there is no fence': () => {
    return new (class extends TasksModel {
      override isCurrent = () => true;
    })();
  },
  'what has ended can still be cancelled': () => {
    return new (class extends TasksModel {
      override isOver = () => false;
      override demandLegal = () => {};
    })();
  },
  'a chain is never unblocked': () => {
    return new (class extends TasksModel {
      override passTurn = () => undefined;
    })();
  },
  'the least urgent goes first': () => {
    return new (class extends TasksModel {
      override highest = (ready: Kept[]) => Math.min(...ready.map(({ row }) => row.priority));
    })();
  },
  'a release is charged': () => {
    return new (class extends TasksModel {
      override burnNothing = () => {};
    })();
  },
  'expiry stops one short': () => {
    return new (class extends TasksModel {
      override lapsed = (now: number, limit: number) => super.lapsed(now, limit).slice(0, -1);
    })();
  },
  'nothing ever ages': () => {
    return new (class extends TasksModel {
      override isAged = () => false;
    })();
  },
  'a late verdict is refused': () => {
    return new (class extends TasksModel {
      override isOpenToLate = () => false;
    })();
  },
  'the epoch never rises': () => {
    return new (class extends TasksModel {
      override takeAway = () => {};
    })();
  },
  'callers take no turns': () => {
    return new (class extends TasksModel {
      override nextInTurn = (ready: Kept[]) => {
        const highest = this.highest(ready);
        return ready.find(({ row }) => row.priority === highest);
      };
    })();
  },
  'names are compared by characters': () => {
    return new (class extends TasksModel {
      override byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    })();
  },
  'a short word shortens a lease': () => {
    return new (class extends TasksModel {
      override lengthen = ({ row }: Kept, until: number) => {
        row.leaseEndsAt = until;
      };
    })();
  },
  'stale results are thrown away': () => {
    return new (class extends TasksModel {
      override keepOrphan = () => {};
    })();
  },
  'the blocked have no deadline': () => {
    return new (class extends TasksModel {
      override overdue = (now: number, limit: number) =>
        super.overdue(now, limit).filter(({ row }) => row.state !== 'blocked');
    })();
  },
  'a skipped dead task holds its chain': () => {
    return new (class extends TasksModel {
      override hasTurn = ({ row }: Kept) => row.state !== 'blocked' && !isTaskEnd(row.state);
    })();
  },
  'spent tasks are always parked': () => {
    return new (class extends TasksModel {
      override isKept = ({ row }: Kept) => row.kind !== 'call';
    })();
  },
  'an edit overwrites what it has not seen': () => {
    return new (class extends TasksModel {
      override isAsSeen = () => true;
    })();
  },
  'nobody overtakes': () => {
    return new (class extends TasksModel {
      override overtakes = () => false;
    })();
  },
};
