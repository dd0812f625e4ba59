import type { Diagnosis } from '@agent-reach/core';
import { EXIT } from '../failure.ts';
import { checklist } from '../render/checklist.ts';
import type { Page } from '../render/page.ts';
import { plain } from '../render/plain.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach diagnose`: fails when an instance cannot be reached, so that a script can ask. */
export async function diagnose(use: Use, session: Session): Promise<number> {
  const id = use.required(0);
  const input = { agent_id: id, ...given({ instance_id: use.text('instance') }) };
  const data = await session.ask('agents.diagnose', input);
  session.answer(data, (page) =>
    data.diagnoses.map((one) => headOf(id, one, page) + showDiagnosis(one, page)).join('\n'),
  );
  return data.diagnoses.every(({ reachable }) => reachable) ? EXIT.ok : EXIT.failed;
}

/** The steps of a diagnosis as a checklist. */
export function showDiagnosis({ steps }: Diagnosis, page: Page): string {
  const checks = steps.map(({ step, ms, detail, ...rest }) => {
    return { ...rest, name: step, detail: ms === undefined ? detail : `${detail} (${ms} ms)` };
  });
  return checklist(checks, page);
}

function headOf(id: string, { instance_id, reachable, failing_step }: Diagnosis, page: Page) {
  const name = plain(instance_id === undefined ? id : `${id}/${instance_id}`);
  const verdict = reachable
    ? page.paint('green', 'can be reached')
    : page.paint('red', `cannot be reached: ${plain(failing_step ?? 'unknown')} fails`);
  return `${name} ${verdict}\n`;
}
