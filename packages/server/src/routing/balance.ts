import type { BalanceStrategy } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import { rendezvousDraw } from '@agent-reach/core/kernel';
import { buildRing, type Ring, walkRing } from './ring.ts';
import { nextTurn, type Owed } from './round-robin.ts';
import { type Bearer, twoChoices } from './two-choices.ts';

/** One who can take work. */
export interface Member extends Bearer {
  /** Stable, whatever its address. */
  id: string;
  /** The part of its weight that changes by an operator's hand alone: keys are spread by it. */
  standing: number;
}

/** Of members that are chosen by a key alone. */
export const UNWEIGHED: Bearer = { weight: 1, load: 0, reliability: 1 };

/** How one of several is chosen for a piece of work. */
export type Method =
  | { by: 'two-choices' | 'round-robin' }
  /** The same key goes to the same member, as long as that one is there. */
  | { by: 'ring' | 'rendezvous'; key: string };

/** More capabilities than are in use at once; what is dropped is only built again. */
const REMEMBERED_MAX = 1_000;

/** What balancing remembers between two choices, by the name of a distribution. None of it is truth. */
export class BalanceMemory {
  readonly #owed = new LRUCache<string, Owed>({ max: REMEMBERED_MAX });
  readonly #rings = new LRUCache<string, { of: string; ring: Ring }>({ max: REMEMBERED_MAX });

  turn(name: string, members: readonly Member[]): number {
    const { index, owed } = nextTurn(members, this.#owed.get(name) ?? new Map());
    this.#owed.set(name, owed);
    return index;
  }

  ring(name: string, members: readonly Member[], vnodes: number): Ring {
    const of = members.map(({ id, standing }) => `${id}=${standing}`).join('\n');
    const known = this.#rings.get(name);
    if (known?.of === of) return known.ring;
    const ring = buildRing(
      members.map(({ id, standing }) => ({ id, weight: standing })),
      vnodes,
    );
    this.#rings.set(name, { of, ring });
    return ring;
  }
}

/** What balancing works with. */
export interface BalancePorts {
  random: Random;
  memory: BalanceMemory;
  vnodes: number;
}

/**
 * How a call or a task is given to one of several. A ring needs something to hash: work without a
 * source goes by two choices under `consistent-hash`. `keepsSource`: the same source goes to the
 * same member without a ring as well, by rendezvous, unless turns are asked for.
 */
export function methodFor(
  strategy: BalanceStrategy,
  sourceId: string | undefined,
  keepsSource: boolean,
): Method {
  if (strategy === 'weighted-round-robin') return { by: 'round-robin' };
  if (sourceId === undefined) return { by: 'two-choices' };
  if (strategy === 'consistent-hash') return { by: 'ring', key: sourceId };
  return keepsSource ? { by: 'rendezvous', key: sourceId } : { by: 'two-choices' };
}

/** The one who takes it. `name` is that of the distribution: whose turn it is, is counted in it. */
export function first<M extends Member>(
  members: readonly M[],
  name: string,
  method: Method,
  ports: BalancePorts,
): M | undefined {
  if (members.length <= 1) return members[0];
  switch (method.by) {
    case 'two-choices':
      return twoChoices(members, ports.random);
    case 'round-robin':
      return members[ports.memory.turn(name, members)];
    case 'ring': {
      const [id] = walkRing(ports.memory.ring(name, members, ports.vnodes), method.key);
      return members.find((member) => member.id === id);
    }
    case 'rendezvous':
      return byDraw(members, method.key)[0];
  }
}

/** All of them, the one who takes it first: the others are asked if he cannot. */
export function inOrder<M extends Member>(
  members: readonly M[],
  name: string,
  method: Method,
  ports: BalancePorts,
): M[] {
  switch (method.by) {
    case 'two-choices':
    case 'round-robin': {
      const chosen = first(members, name, method, ports);
      const others = members.filter((member) => member !== chosen).sort(byShare);
      return chosen === undefined ? others : [chosen, ...others];
    }
    case 'ring': {
      if (members.length <= 1) return [...members];
      const byId = new Map(members.map((member) => [member.id, member]));
      const walk = walkRing(ports.memory.ring(name, members, ports.vnodes), method.key);
      return [...walk].flatMap((id) => byId.get(id) ?? []);
    }
    case 'rendezvous':
      return byDraw(members, method.key);
  }
}

/** Who has least for his weight. */
export function byShare(a: Bearer, b: Bearer): number {
  return a.load / a.weight - b.load / b.weight;
}

function byDraw<M extends Member>(members: readonly M[], key: string): M[] {
  return members
    .map((member) => ({ member, draw: rendezvousDraw(member.id, key, member.standing) }))
    .sort((a, b) => b.draw - a.draw)
    .map(({ member }) => member);
}
