import { readByCosine } from './by-cosine.ts';
import type { Catalogue } from './catalogue.ts';
import type { Calibration } from './calibrator.ts';
import { fingerprintOf } from './features.ts';
import { type Caution, interpret, judge, optionsAmong, type Reading } from './interpret.ts';
import { type Candidate, type Question, rank } from './rank.ts';
import { isClear, type Sense, type Sensed } from './sense.ts';
import { type Folded, foldTwins } from './twins.ts';

/** How an intent is read where there may be vectors. */
export interface ReadBy extends Caution {
  /** What became of the intent at the embedder; undefined: there is none. */
  sense: Sense | undefined;
  /** From which bare cosine on a read is routed; undefined: by probability. */
  cosineFrom: number | undefined;
  /** A calibration of somebody's own; used where it was fitted for this embedder. */
  own?: Calibration | undefined;
}

/**
 * Reads an intent by its words, and by vectors where an embedder has seen it. Where a calibration was
 * fitted for this very embedder it judges both. Else the probability is that of the words: vectors
 * offer more, and better, and take a route back where they say otherwise; they never make one.
 */
export function readIntent(question: Question, catalogue: Catalogue, by: ReadBy): Reading {
  const { sense } = by;
  if (sense === undefined) return interpret(question, catalogue, by);
  const usable = sense.is === 'used' ? usableIn(catalogue, sense) : sense;
  if (usable.is !== 'used') return { ...interpret(question, catalogue, by), sense: usable };
  if (by.cosineFrom !== undefined) {
    const reading = readByCosine(question, catalogue, { sense: usable, from: by.cosineFrom });
    return { ...reading, sense: usable };
  }
  const reading = interpret(question, catalogue, by);
  // A name or an example: nothing was measured.
  if (reading.ranking.size === 0) return reading;
  const fused = foldTwins(rank(question, catalogue, usable));
  const { own } = by;
  if (own !== undefined && own.fingerprint === fingerprintOf(usable.model)) {
    const { budget, ownFit } = by;
    const judged = judge(fused, { budget, ownFit, calibration: own });
    return { ...judged, sense: usable, calibration: own.fingerprint };
  }
  return { ...confer(reading, fused, usable), ranking: fused, sense: usable };
}

/** Vectors of one embedder are never compared with those of another. */
function usableIn({ vectors }: Catalogue, sense: Sensed): Sense {
  if (vectors.make === sense.make && vectors.size > 0) return sense;
  return { is: 'checking', detail: 'No description has a vector of this embedder yet.' };
}

function confer(reading: Reading, fused: Folded, sense: Sensed): Reading {
  const [first] = fused.candidates;
  switch (reading.outcome) {
    case 'route': {
      if (first === undefined || agree(reading, fused)) return reading;
      const worded = fused.candidates.find(({ name }) => name === reading.names[0]);
      const options = optionsAmong(
        worded === undefined ? fused.candidates : between(first, worded),
      );
      const namedOnly = fused.passedOver?.name;
      const reason = namedOnly === undefined ? 'VECTORS_DIFFER' : 'NAMED_ONLY';
      return { ...reading, outcome: 'ask', reason, names: [], options, namedOnly };
    }
    case 'ask': {
      const options = optionsAmong(fused.candidates);
      return options.length === 0 ? reading : { ...reading, options };
    }
    case 'none':
      return mayAsk(reading, fused, sense);
  }
}

/** Words find nothing that is near enough; vectors may. */
function mayAsk(reading: Reading, fused: Folded, { trust }: Sensed): Reading {
  const { candidates, passedOver, embedded } = fused;
  const isFound = ({ cosine }: Candidate) =>
    cosine !== undefined && isClear(cosine, embedded, trust);
  if (passedOver !== undefined && (isFound(passedOver) || reading.reason === 'NAMED_ONLY')) {
    return { ...reading, reason: 'NAMED_ONLY', namedOnly: passedOver.name };
  }
  const found = candidates.filter(isFound);
  if (found.length === 0) return reading;
  const options = optionsAmong(found);
  return { ...reading, outcome: 'ask', reason: 'VECTORS', namedOnly: undefined, options };
}

/** Whether vectors leave the best one, or one that says the same, where it is. */
function agree({ names }: Reading, { twins, passedOver }: Folded): boolean {
  return passedOver === undefined && twins.some(({ name }) => names.includes(name));
}

/** Both are offered, however far apart they are. */
function between(first: Candidate, worded: Candidate): Candidate[] {
  return first === worded ? [first] : [first, { ...worded, score: first.score }];
}
