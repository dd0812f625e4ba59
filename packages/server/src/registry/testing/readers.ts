import { type AgentEvent, type AgentRow, rowName, type StreamEvent } from '@agent-reach/core';
import { idsFrom, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { ChangeFeed } from '../change-feed.ts';
import type { Interest } from '../change-rows.ts';
import { Directory } from '../directory.ts';

export const TENANT = 'internal';

/** A feed over a directory that the test changes. */
export async function openFeed() {
  const clock = new ManualClock();
  const directory = new Directory('e');
  const random = seededRandom(1);
  const feed = new ChangeFeed({ directory, clock, random, ids: idsFrom(clock, random) });
  await feed.start();
  return { clock, directory, feed };
}

/** Somebody who reads of a feed, as fast as it comes, or only when the test says. */
export class Reader {
  readonly events: StreamEvent<AgentEvent>[] = [];
  readonly #gone = new AbortController();
  readonly #source: AsyncGenerator<StreamEvent<AgentEvent>>;

  constructor(feed: ChangeFeed, interest: Interest = {}, lastId?: string, tenant = TENANT) {
    this.#source = feed.read({ tenant, interest, lastId }, this.#gone.signal);
  }

  /** Reads on until it leaves. */
  async follow(): Promise<this> {
    void this.#run();
    await settled();
    return this;
  }

  async next(): Promise<AgentEvent | undefined> {
    const { value, done } = await this.#source.next();
    if (done === true) return undefined;
    this.events.push(value);
    return value.data;
  }

  async leave(): Promise<void> {
    this.#gone.abort();
    await settled();
  }

  get lastId(): string {
    return this.events.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  /** The kinds of all that it got. */
  get kinds(): string[] {
    return this.events.map(({ data }) => data.type);
  }

  /** Every change that it got, as `agent/instance old→new`. */
  get changes(): string[] {
    return this.events.flatMap(({ data }) =>
      data.type === 'changes'
        ? data.changes.map(
            (c) => `${rowName(c)} ${c.old?.observed ?? '-'}→${c.new?.observed ?? '-'}`,
          )
        : [],
    );
  }

  /** All rows as it knows them from what it got. */
  rows(): Map<string, AgentRow> {
    const rows = new Map<string, AgentRow>();
    for (const { data } of this.events) {
      if (data.type === 'snapshot') {
        rows.clear();
        for (const row of data.agents) rows.set(rowName(row), row);
      }
      if (data.type !== 'changes') continue;
      for (const { old: _, new: state, ...about } of data.changes) {
        if (state === null) rows.delete(rowName(about));
        else rows.set(rowName(about), { ...about, state });
      }
    }
    return rows;
  }

  async #run(): Promise<void> {
    while ((await this.next()) !== undefined);
  }
}
