import type { Service } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { RoadPorts } from '../pipeline/ports.ts';
import { BudgetBook } from '../policy/budgets/book.ts';
import { ConfirmationBook } from '../policy/confirmations/book.ts';
import type { GrantBook } from '../policy/grants.ts';
import type { PolicyPorts } from '../policy/ports.ts';
import { Embedding } from '../routing/embedding.ts';
import { embeddingService } from '../routing/embedding-service.ts';
import { meaningService } from '../routing/meaning-service.ts';
import { openRouting } from '../routing/ports.ts';
import { budgetShare } from '../storage/moves/budget-share.ts';
import { asksWho, permitsBy } from './entrance.ts';
import type { Ground } from './ground.ts';

/** By what a road decides whom to go to. */
export function routingOn(
  ground: Ground,
  shared: Pick<RoadPorts['routing'], 'directory' | 'board' | 'scores' | 'mayOffer'>,
): RoadPorts['routing'] {
  const { config, random, calibration } = ground;
  const options = config.settings.routing;
  const embedding = embeddingOn(ground);
  return openRouting({ ...shared, random, options, embedding, calibration });
}

/** Where no intent is read nothing is embedded. */
function embeddingOn({ config, embedder, clock, random, log }: Ground): Embedding | undefined {
  const { embedder: options, routing } = config.settings;
  if (embedder === undefined || routing.semanticMode === 'off') return undefined;
  return new Embedding({ embedder, options, clock, random, log });
}

/** What keeps meanings and vectors up to date; nothing where no intent is read. */
export function readersOf(
  { meanings, embedding, options, calibration }: RoadPorts['routing'],
  { clock, log }: Pick<Ground, 'clock' | 'log'>,
): Service[] {
  const { semanticMode } = options;
  if (semanticMode === 'off') return [];
  const words = meaningService({ meanings, clock, log });
  if (embedding === undefined) return [words];
  const isBare = semanticMode === 'cosine';
  return [words, embeddingService({ embedding, meanings, isBare, calibration })];
}

/** By what a road decides whether it may. */
export function policyPortsOf(
  ground: Ground,
  shared: Pick<PolicyPorts, 'ids' | 'now'> & { grants: GrantBook; peers: Peers },
): PolicyPorts {
  const { config, storage, clock, random, tokenKey, log } = ground;
  const { ledger } = storage;
  // Where nobody shows who he is there are no people to tell apart: it stops slips, and no attacker.
  const confirmations = new ConfirmationBook(asksWho(ground) ? 'human' : 'caller');
  const { policy: options } = config.settings;
  const { grants, peers, ...common } = shared;
  return {
    ...common,
    ledger,
    budgets: new BudgetBook(),
    permitsFor: permitsBy(grants, ground),
    budgetShare: budgetShare(() => peers.count),
    clock,
    tokenKey,
    random,
    log,
    confirmations,
    options,
  };
}
