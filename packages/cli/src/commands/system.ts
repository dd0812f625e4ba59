import type { Output } from '@agent-reach/core';
import { EXIT } from '../failure.ts';
import { byWord, lookOf } from '../render/looks.ts';
import { span } from '../render/moments.ts';
import { type Column, facts } from '../render/table.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';

/** `reach config`: what the running gateway was told, and by whom. */
export async function showConfig(use: Use, session: Session): Promise<void> {
  const prefix = use.operand(0) ?? '';
  const { options } = await session.ask('system.config', {});
  const wanted = options.filter(
    ({ key, origin }) => key.startsWith(prefix) && !(use.on('changed') && origin === 'default'),
  );
  session.list({ options: wanted }, wanted, OPTION_COLUMNS);
}

const OPTION_COLUMNS: Column<Output<'system.config'>['options'][number]>[] = [
  { title: 'OPTION', of: ({ key }) => key },
  { title: 'VALUE', of: ({ value }) => textOf(value), flexible: true },
  { title: 'ORIGIN', of: ({ origin }) => origin, paint: byWord },
];

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** `reach health`: fails unless the gateway says ok. */
export async function showHealth(_use: Use, session: Session): Promise<number> {
  const health = await session.ask('system.health', {});
  session.answer(health, (page) =>
    facts(
      [
        ['status', health.status, lookOf(health.status)],
        ['version', health.version],
        ['node', health.node],
        ['storage', health.storage],
        ['up for', span(health.uptime_ms)],
        ['agents', health.agents],
        ...(health.self_preservation ? [HELD] : []),
      ],
      page,
    ),
  );
  return health.status === 'ok' ? EXIT.ok : EXIT.failed;
}

const HELD: [string, string] = [
  'self-preservation',
  'so many agents are silent at once that none is declared gone for it',
];

/** `reach gateways`: who works on the store. */
export async function listGateways(_use: Use, session: Session): Promise<void> {
  const data = await session.ask('system.gateways', {});
  session.list(data, data.gateways, GATEWAY_COLUMNS);
}

const GATEWAY_COLUMNS: Column<Output<'system.gateways'>['gateways'][number]>[] = [
  { title: 'NODE', of: ({ node }) => node, flexible: true },
  { title: 'ID', of: ({ id }) => id },
  { title: 'SINCE', of: ({ since }) => since },
  { title: '', of: ({ is_self: isSelf }) => (isSelf ? 'answers' : '') },
];
