import type { House } from './house.ts';
import { ask, type Stage } from './show.ts';
import { MONEY, TEXTS, VAGUE } from './texts.ts';

/** Two who know what their customers mean: one alone teaches nothing. */
export const DESKS = ['desk-a', 'desk-b'] as const;
const MEANT = 'track_shipment';

/**
 * A question that could mean two things is asked back, two desks say what was meant, and from then on
 * it goes there. Money is reached by no question. False when any of it went otherwise.
 */
export async function askBack({ reach }: House, stage: Stage): Promise<boolean> {
  const { print, paint, language } = stage;
  const texts = TEXTS[language].meant;
  const vague = VAGUE[language];
  print('');
  print(paint('yellow', texts.title));
  for (const desk of DESKS) {
    const reply = await ask(vague, reach, stage);
    if (reply?.asked === undefined || !reply.asked.options.includes(MEANT)) return false;
    const { route_id: routeId } = reply.asked;
    const choice = { agent_id: desk, route_id: routeId, capability: MEANT };
    const { learned } = await reach.invoke('routes.choose', choice);
    print(paint('dim', texts.chosen(desk, MEANT, learned === 'counts')));
  }
  const remembered = await ask(vague, reach, stage);
  print('');
  print(paint('yellow', texts.money));
  const money = await ask(MONEY[language], reach, stage);
  return remembered?.consulted[0] === MEANT && money?.consulted.length === 0;
}
