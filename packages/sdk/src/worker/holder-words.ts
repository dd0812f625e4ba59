import { type HolderAnswer, ReachError } from '@agent-reach/core';
import { fullJitterMs, type Log } from '@agent-reach/core/kernel';
import type { Ports } from '../ports.ts';
import type { Reach } from '../reach.ts';
import { endedMeanwhile, type Holding } from './holding.ts';
import { cleanReason, type Word } from './perform-task.ts';
import { isLoss, isVerdict } from './verdict.ts';

/** What telling the gateway of a task needs. */
export interface WordPorts {
  reach: Reach;
  ports: Ports;
  log: Log;
}

/** A word waits for the gateway's disk, and for no more. */
const WORD_MS = 5_000;
/** A process that stops does not wait long for a gateway that may be gone. */
const PARTING_MS = 2_000;
const RETRY_RULE = { baseMs: 250, maxMs: 10_000 };

/** What a holder says of its tasks. Nothing here rejects: a word is heard, judged, or given up. */
export class HolderWords {
  readonly #options: WordPorts;

  constructor(options: WordPorts) {
    this.#options = options;
  }

  /**
   * The receipt. Repeated until the gateway answers, because work that may be another's by now
   * must not begin; false when it must not.
   */
  async ack(holding: Holding, giveUp: AbortSignal): Promise<boolean> {
    const at = this.#now;
    const answer = await this.#insist('tasks.ack', holding, {}, giveUp);
    if (answer === undefined) return false;
    if (answer instanceof ReachError) {
      holding.lose(answer);
      this.#log.info({ task_id: holding.taskId, err: answer }, 'a task was lost before it began');
      return false;
    }
    if (answer.outcome === 'ended') holding.lose(endedMeanwhile(holding.taskId, answer.status));
    else holding.renew(at, answer.lease_ms);
    return holding.loss === undefined;
  }

  /**
   * The last word. Repeated until the gateway answers: paid work is not thrown away because the
   * gateway is away. A result that it can never take is told as a failure, which is final: another
   * run would bring another such result.
   */
  async conclude(holding: Holding, word: Word, giveUp: AbortSignal): Promise<void> {
    const verdict = await this.#say(holding, word, giveUp);
    if (!(verdict instanceof ReachError) || isLoss(verdict)) return;
    if (word.say === 'fail') {
      const { details: _, ...bare } = word;
      const reason = 'The task failed; the gateway refused to keep why.';
      await this.#say(holding, { ...bare, reason }, giveUp);
      return;
    }
    const reason = cleanReason(`Its result was refused, ${verdict.code}: ${verdict.message}`);
    await this.#say(holding, { say: 'fail', reason, retryable: false }, giveUp);
  }

  /** Gives a task back as it was. Said once: what does not arrive is finished by the lease. */
  async release(holding: Holding, reason: string): Promise<void> {
    const { reach } = this.#options;
    const input = { ...holding.lease, reason };
    try {
      await reach.invoke('tasks.release', input, { timeoutMs: PARTING_MS });
    } catch (error) {
      const fields = { task_id: holding.taskId, err: error };
      this.#log.info(fields, 'a task could not be given back; its lease will run out');
    }
  }

  async #say(holding: Holding, word: Word, giveUp: AbortSignal) {
    const { say, ...more } = word;
    const answer = await this.#insist(`tasks.${say}`, holding, more, giveUp);
    const fields = { task_id: holding.taskId, said: say };
    if (answer === undefined) {
      this.#log.error(fields, 'the agent stops before the gateway has heard the end of a task');
    } else if (answer instanceof ReachError) {
      this.#log.warn({ ...fields, err: answer }, `the gateway refused it: ${answer.code}`);
    } else if (answer.outcome !== 'ok') {
      this.#log.info(
        { ...fields, status: answer.status },
        `the gateway took it as ${answer.outcome}`,
      );
    }
    return answer;
  }

  /** Says it until there is an answer or a verdict; undefined when given up before. */
  async #insist(
    name: 'tasks.ack' | 'tasks.complete' | 'tasks.fail',
    holding: Holding,
    more: object,
    giveUp: AbortSignal,
  ): Promise<HolderAnswer | ReachError | undefined> {
    const { reach, ports } = this.#options;
    const input = { ...holding.lease, ...more };
    for (let failures = 1; !giveUp.aborted; failures++) {
      try {
        return await reach.invoke(name, input, { timeoutMs: WORD_MS, signal: giveUp });
      } catch (error) {
        if (isVerdict(error)) return error;
        const fields = { task_id: holding.taskId, err: error };
        if (failures === 1 && !giveUp.aborted) {
          this.#log.warn(fields, `${name} was not answered; trying on`);
        }
        const pauseMs = fullJitterMs(RETRY_RULE, failures, ports.random);
        await ports.clock.sleep(pauseMs, giveUp).catch(() => {}); // The loop looks at the signal.
      }
    }
    return undefined;
  }

  get #now(): number {
    return this.#options.ports.clock.monotonic();
  }

  get #log(): Log {
    return this.#options.log;
  }
}
