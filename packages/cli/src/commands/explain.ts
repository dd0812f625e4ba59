import type { ExplainAnswer, ExplainStep } from '@agent-reach/core';
import { EXIT } from '../failure.ts';
import { type Check, checklist } from '../render/checklist.ts';
import type { Page } from '../render/page.ts';
import { plain } from '../render/plain.ts';
import { table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { candidateColumns, requestOf } from './call.ts';

/** `reach explain`: fails where the call would not be sent or answered, so that a script can ask. */
export async function explainCall(use: Use, session: Session): Promise<number> {
  const { selector, params } = await requestOf(use, session);
  const answer = await session.ask('routes.explain', {
    ...selector,
    ...given({ params, as: use.text('as'), idempotency_key: use.text('key') }),
  });
  session.answer(answer, (page) => show(answer, session, page));
  return answer.outcome === 'call' || answer.outcome === 'replay' ? EXIT.ok : EXIT.failed;
}

function show(answer: ExplainAnswer, session: Session, page: Page): string {
  const { outcome, steps, who, candidates } = answer;
  const isGood = outcome === 'call' || outcome === 'replay';
  const name =
    who.acts_for === who.principal ? who.principal : `${who.principal} (${who.acts_for})`;
  const head = `${plain(name)} ${page.paint(isGood ? 'green' : 'yellow', sentenceOf(answer))}\n`;
  const list = checklist(
    steps.map((step) => checkOf(step, outcome)),
    page,
  );
  if (candidates.length === 0) return head + list;
  return `${head}${list}\n${table(candidates, candidateColumns(session), page)}`;
}

function sentenceOf({ outcome, steps, agent, instance }: ExplainAnswer): string {
  const at = steps.at(-1)?.step ?? 'request';
  switch (outcome) {
    case 'call':
      return `would be sent to ${plain(`${agent}/${instance}`)}`;
    case 'replay':
      return 'would get the answer that its key has';
    case 'ask':
      return 'would be asked back what is meant';
    case 'confirm':
      return 'would need a confirmation';
    case 'refuse':
      return `would be refused at the step ${at}`;
  }
}

function checkOf(
  { step, verdict, detail, rule, code }: ExplainStep,
  outcome: ExplainAnswer['outcome'],
): Check {
  const by = rule === undefined ? '' : ` (by ${rule})`;
  const end = code === undefined ? '' : `${code}: `;
  const stopped = outcome === 'refuse' ? 'failed' : outcome === 'replay' ? 'passed' : 'warning';
  return {
    name: step,
    verdict: verdict === 'passed' ? 'passed' : stopped,
    detail: `${end}${detail}${by}`,
  };
}
