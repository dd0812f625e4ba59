import type { Reach } from '@agent-reach/sdk';
import { AGENTS, BUDGET_PERCENT, House } from '../house.ts';
import { DESKS } from '../meant.ts';
import type { Shop } from '../options.ts';
import { Progress } from '../progress.ts';
import type { Scene } from '../show.ts';
import { type Asking, askAll } from './ask-all.ts';
import type { Outcome } from './outcome.ts';
import { patiently } from './patiently.ts';
import { sensitiveOf } from './plan.ts';
import { exceptions, outcomeLine, table } from './table.ts';
import { SHOP_TEXTS } from './texts.ts';
import { verdictOf } from './verdict.ts';
import { readVisits } from './visits.ts';

/** Opens a shop made from a folder: the demo's agents, and a desk for whatever else it offers. */
export async function openShop({ plan, folder }: Shop, { stage }: Scene): Promise<House> {
  const agents = AGENTS.length + Object.keys(plan.desks).length;
  stage.print(SHOP_TEXTS[stage.language].starting(agents, folder.rows.length));
  return House.open({ plan });
}

/**
 * Asks the customer service every question of a folder, and counts by what the agents noted down. False
 * when something sensitive was reached by meaning, more went wrong than the budget allows, or an answer to
 * what was asked back led elsewhere.
 */
export async function askTheShop({ folder }: Shop, house: House, scene: Scene): Promise<boolean> {
  const { stage, stop } = scene;
  const { questions } = folder;
  const texts = SHOP_TEXTS[stage.language];
  const { reach, notesDir } = house;
  const asking = { reach, notesDir, sensitive: sensitiveOf(folder), stop };
  const progress = new Progress(stage.screen);
  const step = { label: texts.asking, total: questions.length };
  const outcomes = await askAll(questions, asking, (done) => progress.show({ ...step, done }));
  progress.clear();
  const again = await rememberAll(outcomes, asking);
  if (stop.aborted) return true;

  // Whoever was told it and whenever: of what is had by name alone there is no harmless visit.
  const reached = readVisits(notesDir).filter((one) => asking.sensitive.has(one.capability));
  const verdict = verdictOf(outcomes, reached.length, BUDGET_PERCENT / 100);
  for (const line of exceptions(outcomes, stage)) stage.print(line);
  stage.print('');
  for (const line of table(outcomes, verdict, stage)) stage.print(line);
  const [share, low, high] = [verdict.share, verdict.low, verdict.high].map(percent);
  const range = `${share} % (${low}–${high} %)`;
  stage.print('');
  stage.print(texts.misrouted(verdict.misrouted, verdict.questions, range, BUDGET_PERCENT));
  const others = again.filter((one) => one.end !== 'reached' || !one.isWanted);
  stage.print(texts.remembered(again.length - others.length, again.length));
  for (const one of others) stage.print(outcomeLine(one, stage));
  return verdict.isKept && others.every(({ end }) => end === 'asked');
}

/**
 * Of each question that could mean several and was asked back, two desks choose the same, and it is asked once
 * more: what came of that.
 */
async function rememberAll(outcomes: readonly Outcome[], asking: Asking): Promise<Outcome[]> {
  const asked = outcomes.filter(isFairlyAsked);
  // Asked for the second desk before either has taught anything: what one learns moves the others.
  const twice = await askAll(
    asked.map(({ question }) => question),
    asking,
  );
  for (const [i, one] of asked.entries()) await choose([one, twice[i]], asking.reach);
  const meant = asked.map((one) => ({ ...one.question, wanted: meantOf(one) }));
  return askAll(meant, asking);
}

type AskedBack = Extract<Outcome, { end: 'asked' }>;

function isFairlyAsked(one: Outcome): one is AskedBack {
  return one.kind === 'several' && one.end === 'asked' && one.isOffered;
}

/** Whichever is offered first of those that could be meant. */
function meantOf({ question: { wanted }, options }: AskedBack): string[] {
  return options.filter((name) => wanted.includes(name)).slice(0, 1);
}

/** Each desk says the same of the same question, asked once for each. */
async function choose(asked: readonly (Outcome | undefined)[], reach: Reach): Promise<void> {
  for (const [i, desk] of DESKS.entries()) {
    const one = asked[i];
    if (one === undefined || !isFairlyAsked(one)) return;
    const [capability] = meantOf(one);
    if (capability === undefined) return;
    const choice = { agent_id: desk, route_id: one.routeId, capability };
    await patiently(() => reach.invoke('routes.choose', choice));
  }
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
