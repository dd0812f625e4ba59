import type { AgentChange, AgentEvent, AgentRow, Input } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import { groupOf, type Group, type Invoke } from './groups.ts';
import { LastGood } from './last-good.ts';
import type { Ports } from './ports.ts';
import type { OpenStream, StreamOptions } from './streams.ts';

/** Something became different. */
export interface AgentsUpdate {
  changes: readonly AgentChange[];
  /** All definitions and instances after it, by `agent/instance`. */
  rows: ReadonlyMap<string, AgentRow>;
  /** A snapshot is kept back in which too much is missing: `rows` are the last good ones. */
  isHeld: boolean;
}

/** What of all agents is watched. */
export type AgentsWatchFilter = Omit<Input<'agents.changes'>, 'last_event_id'>;

/** The operations of agents, and what watches them. */
export interface AgentsGroup extends Group<'agents'> {
  /**
   * The agents as they are, then every change, for as long as it is read or until the signal. Goes on
   * over breaks and at other gateways, and repairs what was lost. Does not believe at once that most
   * agents are gone where the gateway does not vouch for it: see `AgentsUpdate.isHeld`.
   */
  watch(filter?: AgentsWatchFilter, options?: StreamOptions): AsyncGenerator<AgentsUpdate>;
}

/** Readers that lost their place come for a snapshot within this time, and not all at once. */
const RESYNC_MS_MAX = 5_000;

/** Builds the group. */
export function agentsGroup(invoke: Invoke, open: OpenStream, ports: Ports): AgentsGroup {
  const watch: AgentsGroup['watch'] = (filter = {}, options = {}) =>
    watchAgents(filter, options, open, ports);
  return Object.assign(groupOf('agents', invoke, open), { watch });
}

async function* watchAgents(
  filter: AgentsWatchFilter,
  { signal }: StreamOptions,
  open: OpenStream,
  { clock, random }: Ports,
): AsyncGenerator<AgentsUpdate> {
  const good = new LastGood();
  let isFirst = true;
  for (;;) {
    const reading = new AbortController();
    const until = signal === undefined ? reading.signal : AbortSignal.any([signal, reading.signal]);
    try {
      const events = open.events('agents.changes', filter, { signal: until });
      for await (const event of orHeldUntil(events, good, clock)) {
        const changes = event === undefined ? good.believe() : take(event, good, clock);
        if (changes === 'lost') break;
        if (changes.length === 0 && !isFirst) continue;
        isFirst = false;
        yield { changes, rows: good.rows, isHeld: good.heldUntil !== undefined };
      }
    } finally {
      reading.abort();
    }
    if (isOver(signal)) return;
    await clock.sleep(RESYNC_MS_MAX * random.next(), signal).catch(() => {}); // The next line looks.
    if (isOver(signal)) return;
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** What an event changes for the reader; `lost`: he and the gateway do not agree, he needs all anew. */
function take(event: AgentEvent, good: LastGood, clock: Clock): AgentChange[] | 'lost' {
  switch (event.type) {
    case 'snapshot':
      return good.snapshot(event, clock.monotonic());
    case 'changes':
      return good.changes(event.changes);
    case 'mark':
      if (!good.agrees(event.hash)) return 'lost';
      return event.confirmed && good.heldUntil !== undefined ? good.believe() : [];
    case 'resync':
      return [];
  }
}

/** The events, and undefined when it is time to believe what is kept back. */
async function* orHeldUntil(
  events: AsyncGenerator<AgentEvent>,
  good: LastGood,
  clock: Clock,
): AsyncGenerator<AgentEvent | undefined> {
  let next: Promise<IteratorResult<AgentEvent>> | undefined;
  for (;;) {
    next ??= events.next();
    const result = await orTimeOut(next, good.heldUntil, clock);
    if (result === undefined) {
      yield undefined;
      continue;
    }
    next = undefined;
    if (result.done === true) return;
    yield result.value;
  }
}

async function orTimeOut<T>(
  work: Promise<T>,
  until: number | undefined,
  clock: Clock,
): Promise<T | undefined> {
  if (until === undefined) return work;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  using _ = clock.timer(Math.max(0, until - clock.monotonic()), () => resolve(undefined));
  return await Promise.race([work, promise]);
}
