import type { Candidate } from '../pipeline/plan.ts';

/** What of a candidate's queue matters for the choice. */
export interface Load {
  pending: number;
  held: number;
}

/** What the choice must know beside the candidates. */
export interface ChoiceRule {
  /** Tasks of one source go to one agent while it is there. */
  sourceId: string | undefined;
  /** Breaks ties, so that equals share. */
  taskId: string;
  pendingMax: number;
  load: (candidate: Candidate) => Load;
}

/**
 * Candidates that are there, in the order in which they are offered a task: for a source the one
 * it belongs to first, else the one with the least before it in proportion to what it takes at
 * once. A full one comes last: it is for the store to say that it really is.
 */
export function inOrderOfChoice(candidates: readonly Candidate[], rule: ChoiceRule): Candidate[] {
  const seed = rule.sourceId ?? rule.taskId;
  const ranked = candidates
    .filter(({ slots }) => slots > 0)
    .map((candidate) => {
      const { pending, held } = rule.load(candidate);
      return {
        candidate,
        isFull: pending >= rule.pendingMax,
        share: (pending + held) / candidate.slots,
        draw: rendezvous(candidate.agentId, seed),
      };
    });
  ranked.sort((a, b) => {
    if (a.isFull !== b.isFull) return a.isFull ? 1 : -1;
    if (rule.sourceId === undefined && a.share !== b.share) return a.share - b.share;
    return b.draw - a.draw;
  });
  return ranked.map(({ candidate }) => candidate);
}

/**
 * Rendezvous hashing: each candidate draws a number for the key and the highest has it, so one
 * that leaves or comes moves only its own share. FNV-1a alone spreads badly;
 * the finalizer of MurmurHash3 mends that. Keyed by the agent's id, never its address.
 *
 * Source: Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous" (1996).
 */
export function rendezvous(agentId: string, key: string): number {
  let hash = 0x811c9dc5;
  const text = `${agentId}\n${key}`;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
