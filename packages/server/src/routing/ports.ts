import type { Random, Values } from '@agent-reach/core/kernel';
import type { Directory } from '../registry/directory.ts';
import type { Scores } from '../registry/scores.ts';
import type { Board } from '../resilience/board.ts';
import { BalanceMemory } from './balance.ts';
import { ImbalanceBook } from './imbalance-book.ts';
import type { OfferFacts } from './decision.ts';
import type { Embedding } from './embedding.ts';
import type { ROUTING_OPTIONS } from './options.ts';
import { FitBook } from './fit-book.ts';
import { LearnedBook } from './learned-book.ts';
import type { Calibration } from './meaning/calibrator.ts';
import { Meanings } from './meanings.ts';
import { PinBook } from './pin-book.ts';
import { Questions } from './questions.ts';
import { WeightBook } from './weight-book.ts';

/** What routing works with. */
export interface RoutingPorts {
  directory: Directory;
  board: Board;
  /** How well each instance can be reached. */
  scores: Scores;
  random: Random;
  options: Values<typeof ROUTING_OPTIONS>;
  /** Whether an agent may offer a capability of this name. */
  mayOffer: (facts: OfferFacts) => boolean;
  /** What operators have set by hand. */
  weights: WeightBook;
  /** What operators have nailed down. */
  pins: PinBook;
  /** Whose turn it is, and rings that are built. */
  memory: BalanceMemory;
  /** Where work piles up. */
  imbalance: ImbalanceBook;
  /** What the answers to earlier questions taught. */
  learned: LearnedBook;
  /** What capabilities mean. */
  meanings: Meanings;
  /** Makes vectors of intents; absent: there are none. */
  embedding?: Embedding | undefined;
  /** Of somebody's own, for one embedder; absent: the one that ships. */
  calibration?: Calibration | undefined;
  /** What labels of the tenants' own make of its probabilities. */
  fits: FitBook;
  /** What was asked back, until it is answered. */
  questions: Questions;
}

/** The ports with an empty memory, and nothing set by hand. */
export function openRouting(
  ports: Pick<RoutingPorts, 'directory' | 'board' | 'scores' | 'random' | 'options'> &
    Partial<Pick<RoutingPorts, 'mayOffer' | 'embedding' | 'calibration'>>,
): RoutingPorts {
  const learned = new LearnedBook();
  return {
    mayOffer: () => true,
    ...ports,
    learned,
    meanings: new Meanings(ports.directory, learned),
    questions: new Questions(),
    weights: new WeightBook(),
    pins: new PinBook(),
    fits: new FitBook(),
    memory: new BalanceMemory(),
    imbalance: new ImbalanceBook(),
  };
}
