import type { AgentChange, RouteDecision, WatchEvent } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { readCount } from '../input.ts';
import { lookOf } from '../render/looks.ts';
import { moment } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { json, plain } from '../render/plain.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import { given, type Use } from '../use.ts';

/** `reach agents watch`: all who are there, then a line for each change, until it is stopped. */
export async function watchAgents(use: Use, session: Session): Promise<void> {
  const filter = given({ capability: use.text('capability'), agent: use.text('agent') });
  const { out } = session.world;
  using going = untilStopped(session.world);
  await session.withReach(async (reach) => {
    let wasHeld = false;
    for await (const update of reach.agents.watch(filter, { signal: going.signal })) {
      if (update.isHeld && !wasHeld) session.note(HELD);
      wasHeld = update.isHeld;
      for (const change of update.changes) {
        out.write(session.isJson ? `${json(change, false)}\n` : changeLine(change, session));
      }
    }
  });
}

const HELD = 'reach: Most of them are missing at once; the last good list holds for a minute.';

function changeLine(change: AgentChange, session: Session): string {
  const when = moment(session.clock.now(), false);
  const who = change.instance_id ?? `manifest ${change.new?.manifest_version ?? '-'}`;
  const about = change.capabilities.join(', ');
  const [old, now] = [wordOf(change.old), wordOf(change.new)];
  if (session.page.width === undefined) {
    return `${[when, change.agent, who, old, now, about].map(plain).join('\t')}\n`;
  }
  const { page } = session;
  const look = lookOf(now);
  const to = look === undefined ? now : page.paint(look, now);
  const why = change.new?.intent_reason;
  const said = why === undefined ? '' : `  ${page.paint('dim', plain(why))}`;
  return `${page.paint('dim', when.slice(11, 19))}  ${plain(change.agent)}  ${plain(who)}  ${old} → ${to}  ${plain(about)}${said}\n`;
}

/** What people call it: what somebody wants of it, if that is not that it works; else what is seen. */
function wordOf(state: AgentChange['old']): string {
  if (state === null) return 'absent';
  if (state.observed === undefined) return 'registered';
  return state.intent === 'enabled' ? state.observed : `${state.observed} (${state.intent})`;
}

/** `reach routes watch`: each decision as it is made, until it is stopped. */
export async function watchRoutes(use: Use, session: Session): Promise<void> {
  const filter = given({ pattern: use.operand(0), agent: use.text('agent') });
  using going = untilStopped(session.world);
  await session.withReach(async (reach) => {
    for await (const event of reach.routes.watch(filter, { signal: going.signal })) {
      session.world.out.write(
        session.isJson ? `${json(event, false)}\n` : eventText(event, session.page),
      );
    }
  });
}

function eventText(event: WatchEvent, page: Page): string {
  if (event.type === 'gap') return page.paint('yellow', `… ${event.missed} more decisions\n`);
  return `${headOf(event, page)}\n${event.candidates.map((one) => candidateLine(one, page)).join('')}`;
}

function headOf(decision: RouteDecision, page: Page): string {
  const { at, by, agent_from: from, intent, capability, agent, instance, reason } = decision;
  const asked = [intent === undefined ? '' : `"${intent}"`, capability ?? ''].filter(Boolean);
  const end = agent === undefined ? (reason ?? decision.outcome) : `${agent} ${instance ?? ''}`;
  const score = decision.score === undefined ? '' : `  score ${decision.score}`;
  const when = page.paint('dim', moment(at, false).slice(11, 23));
  const paint = agent === undefined ? 'red' : 'green';
  return `${when}  ${by}  ${plain(from)}  ${plain(asked.join(' '))} → ${page.paint(paint, plain(end.trim()))}${score}`;
}

function candidateLine(one: RouteDecision['candidates'][number], page: Page): string {
  const { agent, instance = '', capability, verdict, weight, parts, reason } = one;
  const sign = verdict === 'chosen' ? '*' : verdict === 'eligible' ? '+' : '-';
  const factors = Object.entries(parts ?? {}).map(([name, value]) => `${name} ${String(value)}`);
  const score = weight === undefined ? '' : `  weight ${weight} (${factors.join(', ')})`;
  const line = `    ${sign} ${agent} ${instance} ${capability}${score}  ${reason}`;
  return `${page.paint(verdict === 'chosen' ? 'bold' : 'dim', plain(line))}\n`;
}

/** `reach routes export`: the hops of the last hours as they come, to be put into a file. */
export async function exportRoutes(use: Use, session: Session): Promise<void> {
  const format = formatOf(use.text('format'));
  const hours = readCount(use.text('hours'), '--hours');
  const input = {
    ...(format === undefined ? {} : { format }),
    ...given({ hours }),
    ...given({ agent: use.text('agent'), capability: use.text('capability') }),
  };
  using going = untilStopped(session.world);
  await session.withReach(async (reach) => {
    for await (const piece of reach.routes.export(input, { signal: going.signal })) {
      session.world.out.write(piece);
    }
  });
}

function formatOf(said: string | undefined): 'jsonl' | 'csv' | undefined {
  if (said === undefined || said === 'jsonl' || said === 'csv') return said;
  throw new UsageError(`--format is jsonl or csv, not ${said}.`);
}
