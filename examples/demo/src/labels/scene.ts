import { setTimeout as pause } from 'node:timers/promises';
import { hasEnded } from '@agent-reach/sdk';
import { type House, LEASE_S, PRINTERS } from '../house.ts';
import { Progress, type Step } from '../progress.ts';
import type { Scene, Stage } from '../show.ts';
import { TEXTS } from '../texts.ts';
import { Journal, type Note, readNotes, SUBMITTER } from './journal.ts';
import { lifeLine } from './life.ts';
import { report } from './report.ts';
import { inHandsOf, tally } from './tally.ts';

// The evening before a sale. Thousands of labels are submitted as tasks, three printers fetch them,
// and one printer is killed in the middle of it. What it had in hand comes out elsewhere once its
// leases have run out; nothing is lost, and nothing comes out twice.

const KILLED = PRINTERS[1];
const TASK_TYPE = 'print_label';
/** Tasks in one message. Printers begin while the next one is on its way. */
const BULK = 500;
const LOOK_MS = 100;
/** Nothing new for so long: what is missing will not come. */
const SILENT_MS = 15_000;

/** Has `count` labels printed; false when one was refused, lost or printed twice. */
export async function printLabels(
  count: number,
  house: House,
  { stage, stop }: Scene,
): Promise<boolean> {
  const texts = TEXTS[stage.language].labels;
  stage.print('');
  stage.print(stage.paint('bold', texts.title(count)));
  stage.print(texts.lease(LEASE_S));
  await house.startPrinters();

  const run = new Run(count, house, stage);
  const start = performance.now();
  const submitting = run.submit(stop);
  await run.watch(stop);
  const refused = await submitting;
  if (stop.aborted) return true;
  await run.noteEnds(stop);

  const counts = tally(readNotes(house.notesDir));
  const seconds = (performance.now() - start) / 1_000;
  const facts = { printers: PRINTERS, killed: KILLED, seconds };
  for (const line of report(counts, facts, stage)) stage.print(line);
  await run.showLife();
  if (refused !== undefined) stage.print(stage.paint('red', refused));
  return refused === undefined && counts.lost.length + counts.double.length === 0;
}

/** One run of the scene. */
class Run {
  readonly #count: number;
  readonly #house: House;
  readonly #stage: Stage;
  readonly #journal: Journal;
  #isSubmitted = false;
  /** What the killed printer had in hand; undefined while it lives. */
  #held: string[] | undefined;

  constructor(count: number, house: House, stage: Stage) {
    this.#count = count;
    this.#house = house;
    this.#stage = stage;
    this.#journal = new Journal(house.notesDir, SUBMITTER);
  }

  get #texts() {
    return TEXTS[this.#stage.language].labels;
  }

  /** Submits everything, and notes down what was accepted; says why something was not. */
  async submit(stop: AbortSignal): Promise<string | undefined> {
    const { tasks } = this.#house.reach;
    let refused: string | undefined;
    for (let from = 0; from < this.#count && !stop.aborted; from += BULK) {
      const parcels = Array.from({ length: Math.min(BULK, this.#count - from) }, (_, i) => ({
        task_type: TASK_TYPE,
        payload: { parcel: from + i + 1 },
      }));
      const outcomes = await tasks.submitMany(parcels);
      const accepted = outcomes.flatMap(({ ticket }) => (ticket === undefined ? [] : [ticket]));
      this.#journal.note('accepted', ...accepted.map((one) => [one.task_id, one.status] as const));
      refused ??= outcomes.find(({ error }) => error !== undefined)?.error?.message;
    }
    this.#isSubmitted = true;
    return refused;
  }

  /** Watches the labels come out, and kills a printer when half of them have. */
  async watch(stop: AbortSignal): Promise<void> {
    using progress = new Progress(this.#stage.screen);
    let seen = { notes: 0, at: performance.now() };
    for (;;) {
      const notes = readNotes(this.#house.notesDir);
      const { printed, submitted } = tally(notes);
      progress.show(this.#step(printed, notes));
      const isDone = this.#isSubmitted && printed >= submitted;
      const isHalf = printed >= this.#count / 2;
      // A printer with nothing in hand is no loss, so the kill waits for a moment when it has some.
      const isMoment = isDone || inHandsOf(KILLED, notes).length > 0;
      if (this.#held === undefined && isHalf && isMoment) {
        progress.clear();
        await this.#kill();
      }
      if (notes.length > seen.notes) seen = { notes: notes.length, at: performance.now() };
      const isSilent = performance.now() - seen.at > SILENT_MS;
      if (isDone || isSilent || stop.aborted) return;
      await pause(LOOK_MS);
    }
  }

  #step(printed: number, notes: readonly Note[]): Step {
    const held = this.#held === undefined ? [] : inHandsOf(KILLED, notes);
    const isWaiting = held.length > 0 && printed + held.length >= this.#count;
    return {
      label: this.#texts.label,
      done: printed,
      total: this.#count,
      remark: isWaiting ? this.#texts.waiting(KILLED) : undefined,
    };
  }

  async #kill(): Promise<void> {
    const { print, paint } = this.#stage;
    await this.#house.killAgent(KILLED);
    this.#held = inHandsOf(KILLED, readNotes(this.#house.notesDir));
    print(paint('yellow', this.#texts.killing(KILLED, this.#held.length)));
    const [first] = this.#held;
    if (first === undefined) return;
    const { says } = await this.#house.reach.tasks.why(first);
    print(paint('dim', `reach tasks why ${first}`));
    print(`  ${says[0]}`);
  }

  /** Notes down what the gateway says of every task, once all have ended or nothing more comes. */
  async noteEnds(stop: AbortSignal): Promise<void> {
    const { tasks } = this.#house.reach;
    const end = performance.now() + SILENT_MS;
    for (;;) {
      const all = await Array.fromAsync(tasks.list({ task_type: TASK_TYPE, limit: 1_000 }));
      if (all.every(hasEnded) || performance.now() > end || stop.aborted) {
        this.#journal.note('ended', ...all.map((task) => [task.task_id, task.status] as const));
        return;
      }
      await pause(LOOK_MS);
    }
  }

  /** How it went on with a task that the killed printer had in hand. */
  async showLife(): Promise<void> {
    const [first] = this.#held ?? [];
    if (first === undefined) return;
    const { print, paint } = this.#stage;
    const moves = await this.#house.reach.tasks.history(first);
    print(paint('dim', `reach tasks history ${first}`));
    print(`  ${lifeLine(moves)}`);
  }
}
