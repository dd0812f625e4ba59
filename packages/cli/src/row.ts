import type { Session } from './session.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

/** What a command does. Its number is the exit code; none is 0. */
export type Verb = (use: Use, session: Session) => Promise<number | void>;

/** A flag as commander writes it. One that may be repeated collects its values. */
export interface Flag {
  flags: string;
  says: string;
  repeats?: true;
}

/** One command: how it is written, what its help says, and where its code is. */
export interface Row {
  /** A command, or a group and its command. */
  path: string;
  operands?: string;
  says: string;
  /** The part of the help in which a command (or the group, by its first row) is listed. */
  heading?: string;
  flags?: readonly Flag[];
  examples?: readonly string[];
  run: (use: Use, world: World) => Promise<number | void>;
}

/**
 * Loads a command's code when it is used, not before: help must not wait for schemas, pools and a
 * whole gateway.
 */
export function lazily(load: () => Promise<Verb>): Row['run'] {
  return async (use, world) => {
    const [verb, { Session }] = await Promise.all([load(), import('./session.ts')]);
    return verb(use, new Session(use, world));
  };
}
