import type { Input, Output, UnaryName } from '@agent-reach/core';
import { type Clock, systemClock } from '@agent-reach/core/kernel';
import { credentialsIn, Reach } from '@agent-reach/sdk';
import { UsageError } from './failure.ts';
import { inColour, type Page, withoutColour } from './render/page.ts';
import { json, plain } from './render/plain.ts';
import { type Column, table } from './render/table.ts';
import type { Use } from './use.ts';
import type { World } from './world.ts';

/** Longer than a registration or a diagnosis, which wait for probes. Calls have their own. */
const TIMEOUT_MS = 15_000;

/** What one command works with: where it prints, in which form, and the gateway it asks. */
export class Session {
  readonly world: World;
  readonly clock: Clock;
  /** Raw data instead of tables. */
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  readonly #use: Use;

  constructor(use: Use, world: World) {
    this.world = world;
    this.clock = world.clock ?? systemClock;
    this.isJson = use.on('json');
    this.isVerbose = use.on('verbose');
    this.#use = use;
  }

  /** Where the answer is printed. */
  get page(): Page {
    return pageOf(this.world, this.world.out.isTerminal, this.#use);
  }

  /** Where notes are printed. */
  get notePage(): Page {
    return pageOf(this.world, this.world.err.isTerminal, this.#use);
  }

  /** Prints the answer: as it came with `--json`, else as `render` shows it. */
  answer(data: unknown, render: (page: Page) => string): void {
    const { out } = this.world;
    out.write(this.isJson ? `${json(data, out.isTerminal)}\n` : render(this.page));
  }

  /** An answer that is a list. That it is empty is said to people only: a program reads no line. */
  list<Row>(data: unknown, rows: readonly Row[], columns: readonly Column<Row>[]): void {
    if (!this.isJson && rows.length === 0 && this.world.out.isTerminal) this.note('(none)');
    else this.answer(data, (page) => (rows.length === 0 ? '' : table(rows, columns, page)));
  }

  /** Says something that is not the answer. */
  note(text: string): void {
    this.world.err.write(`${plain(text)}\n`);
  }

  /** The warnings of an answer; `--json` has them in the answer. */
  warn(warnings: readonly string[]): void {
    if (this.isJson) return;
    for (const warning of warnings) this.note(`reach: warning: ${warning}`);
  }

  /** Runs one operation. */
  ask<K extends UnaryName>(name: K, input: Input<K>): Promise<Output<K>> {
    return this.withReach((reach) => reach.invoke(name, input, { timeoutMs: TIMEOUT_MS }));
  }

  /** Lends a client of the gateway. */
  async withReach<T>(work: (reach: Reach) => Promise<T>): Promise<T> {
    await using reach = this.#open();
    return await work(reach);
  }

  #open(): Reach {
    const said = this.#use.many('endpoint');
    const fromEnvironment = this.world.env['REACH_ENDPOINT'] || undefined;
    const endpoint = said.length > 0 ? said : (fromEnvironment ?? 'http://127.0.0.1:8080');
    const agentId = this.#use.text('as');
    const tenant = this.#use.text('tenant');
    try {
      const credentials = credentialsIn(this.world.env);
      return new Reach({ endpoint, credentials, agentId, tenant });
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message);
      throw error;
    }
  }
}

/** NO_COLOR counts when it is not empty (no-color.org). */
function pageOf({ env, out }: World, isTerminal: boolean, use: Use): Page {
  const isPlain = use.on('noColor') || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return {
    width: isTerminal ? out.width : undefined,
    paint: isTerminal && !isPlain ? inColour : withoutColour,
  };
}
