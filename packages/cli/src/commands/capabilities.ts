import type { Output } from '@agent-reach/core';
import { type Column, facts } from '../render/table.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';

type Standing = Output<'capabilities.approve'>;

/** `reach capabilities pending`. */
export async function listPending(_use: Use, session: Session): Promise<void> {
  const data = await session.ask('capabilities.pending', {});
  session.list(data, data.offers, OFFERS);
}

/** `reach capabilities approve`. */
export async function approve(use: Use, session: Session): Promise<void> {
  show(await session.ask('capabilities.approve', offerOf(use)), session);
}

/** `reach capabilities refuse`. */
export async function refuse(use: Use, session: Session): Promise<void> {
  show(await session.ask('capabilities.refuse', offerOf(use)), session);
}

function offerOf(use: Use) {
  return { capability: use.required(0), agent_id: use.required(1) };
}

function show(standing: Standing, session: Session): void {
  const { capability, agent, is, owners } = standing;
  session.answer(standing, (page) =>
    facts(
      [
        ['capability', capability],
        ['agent', agent],
        ['is', is],
        ['may offer it', owners.join(', ')],
      ],
      page,
    ),
  );
}

const OFFERS: Column<Standing>[] = [
  { title: 'CAPABILITY', of: ({ capability }) => capability, flexible: true },
  { title: 'AGENT', of: ({ agent }) => agent },
  { title: 'IS', of: ({ is }) => is },
  { title: 'MAY OFFER IT', of: ({ owners }) => owners.join(', '), flexible: true },
];
