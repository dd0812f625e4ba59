import { readFileSync } from 'node:fs';
import type { Gateway } from '../kit/gateway.ts';
import { pause } from '../kit/bounds.ts';
import { TYPES } from './work.ts';

/** What one question of a probe came to; status 0: nothing, within the limit. */
export interface Probed {
  status: number;
  code: string | undefined;
  tookMs: number;
}

/** Longer than any gateway may take to say that it cannot. */
const LIMIT_MS = 8_000;
const PAUSE_MS = 300;

/** Asks a gateway one thing after the other, however it answers, until it is told to stop. */
export class Probe {
  readonly answers: Probed[] = [];
  readonly #asking: Promise<void>;
  #isOver = false;

  /** @param ask What to send, and where; `n` counts up. */
  constructor(ask: (n: number) => { url: string; body?: unknown }) {
    this.#asking = this.#run(ask);
  }

  /** The answers, when the last one has come. */
  async end(): Promise<readonly Probed[]> {
    this.#isOver = true;
    await this.#asking;
    return this.answers;
  }

  async #run(ask: (n: number) => { url: string; body?: unknown }): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      this.answers.push(await askOnce(ask(n)));
      await pause(PAUSE_MS);
    }
  }
}

/** Sends small tasks to a gateway. What it may have accepted unheard is nobody's loss. */
export function submitting({ url }: Gateway, prefix: string): Probe {
  return new Probe((n) => ({
    url: `${url}/v1/tasks`,
    body: { task_id: `${prefix}-${n}`, task_type: TYPES.work, payload: { ms: 1 } },
  }));
}

/** Asks whether it is ready. */
export function readiness({ url }: Gateway): Probe {
  return new Probe(() => ({ url: `${url}/readyz` }));
}

async function askOnce({ url, body }: { url: string; body?: unknown }): Promise<Probed> {
  const from = performance.now();
  const tookMs = () => Math.round(performance.now() - from);
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const { code } = (await response.json()) as { code?: unknown };
    return { status: response.status, code: String(code), tookMs: tookMs() };
  } catch {
    return { status: 0, code: undefined, tookMs: tookMs() };
  }
}

/** The memory that a process has in use, in MB; undefined where the system does not tell. */
export function residentMb(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kb === undefined ? undefined : Number(kb) / 1_024;
}
