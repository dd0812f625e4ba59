import { type Answer, Reach, ReachError, type TraceRecord } from '@agent-reach/sdk';
import type { Language } from './language.ts';
import type { Paint } from './paint.ts';
import type { Screen } from './progress.ts';
import type { Reply } from './reply.ts';
import { TEXTS } from './texts.ts';
import { legend, waterfall } from './waterfall.ts';

/** Where the demo prints and how. */
export interface Stage {
  print: (line: string) => void;
  paint: Paint;
  language: Language;
  /** For what is written over. */
  screen: Screen;
}

/** How a scene prints and when it ends early. */
export interface Scene {
  stage: Stage;
  stop: AbortSignal;
}

/** Traces are written behind the answer, never before it. */
const TRACE_WAIT_MS = 2_000;

/** Asks the customer service one question, and shows the answer and the way it came. */
export async function ask(
  question: string,
  reach: Reach,
  stage: Stage,
): Promise<Reply | undefined> {
  const { print, paint, language } = stage;
  const texts = TEXTS[language];
  print('');
  print(`${paint('bold', texts.question)}  ${question}`);
  const start = performance.now();
  try {
    const params = { question, language };
    const answer = await reach.call<Reply>('answer_question', params);
    const ms = performance.now() - start;
    const { result: reply } = answer;
    print(`${paint('bold', texts.answer)}  ${paint('green', reply.answer)}`);
    if (reply.trouble !== undefined) print(troubleLine(reply.trouble, ms, stage));
    await showTrace(answer, reach, stage);
    return reply;
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    print(paint('red', `${error.status} ${error.code}: ${error.message}`));
    return undefined;
  }
}

function troubleLine(trouble: NonNullable<Reply['trouble']>, ms: number, stage: Stage): string {
  const { status, code, capability, agent, last_seen: lastSeen } = trouble;
  const texts = TEXTS[stage.language];
  const parts = [`${status} ${code}`, capability];
  if (agent !== undefined) {
    parts.push(lastSeen === undefined ? agent : texts.lastSeen(agent, lastSeen));
  }
  parts.push(texts.answeredIn(ms));
  return stage.paint('red', `✗ ${parts.join(' · ')}`);
}

async function showTrace(answer: Answer, reach: Reach, stage: Stage): Promise<void> {
  const { print, paint, language } = stage;
  const hops = await hopsOf(answer, reach);
  print(paint('dim', `trace ${answer.trace_id}  `) + legend(paint));
  for (const line of waterfall(hops, paint)) print(`  ${line}`);
  if (hops.length === 0) print(`  ${TEXTS[language].noTrace}`);
}

/** The whole trace, which is whole when its outermost hop is there: it ends last. */
async function hopsOf(answer: Answer, reach: Reach): Promise<TraceRecord[]> {
  const end = performance.now() + TRACE_WAIT_MS;
  for (;;) {
    const { hops } = await reach.traces.get(answer.trace_id);
    const isWhole = hops.some((hop) => hop.request_id === answer.request_id);
    if (isWhole || performance.now() > end) return hops;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
