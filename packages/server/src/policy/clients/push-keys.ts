import { ReachError, type SigningKey } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import type { Known } from './book.ts';
import { type KeyDoc, stateOf } from './client.ts';
import type { ClientPorts } from './ports.ts';

/** To whom something is sent. */
export interface PushTo {
  tenant: string;
  agentId: string;
  instanceId: string;
}

/** `keyed`: signed where the agent has a key; `require`: and not sent where it has none. */
export type SignMode = 'off' | 'keyed' | 'require';

/** Instances of which it is remembered what they take, and agents that were warned of: more than a gateway knows. */
const REMEMBERED_MAX = 20_000;

/** The order in which keys are likely to be held by a process. */
const LIKELY = ['active', 'retiring', 'pending'] as const;

const NO_KEYS: readonly SigningKey[] = [];

/**
 * By which keys what is sent to agents is signed: those of the clients that are bound to the agent.
 * Which of them a process holds, the gateway learns from what it takes.
 */
export class PushKeyRing {
  readonly #ports: Pick<ClientPorts, 'book' | 'vault' | 'clock' | 'log'>;
  readonly #mode: SignMode;
  readonly #isAuthRequired: boolean;
  /** The key that an instance took last, by its place. */
  readonly #taken = new Map<string, string>();
  readonly #warned = new Set<string>();

  constructor(
    ports: Pick<ClientPorts, 'book' | 'vault' | 'clock' | 'log'>,
    { mode, isAuthRequired }: { mode: SignMode; isAuthRequired: boolean },
  ) {
    this.#ports = ports;
    this.#mode = mode;
    this.#isAuthRequired = isAuthRequired;
  }

  /** Two at most, the likeliest first. Throws `egress-blocked` where nothing may go unsigned. */
  of(to: PushTo): readonly SigningKey[] | Promise<readonly SigningKey[]> {
    if (this.#mode === 'off') return NO_KEYS;
    const clients = this.#ports.book.ofAgent(to.tenant, to.agentId);
    if (clients.length > 0) return this.#likeliest(to, clients);
    this.#unsigned(to);
    return NO_KEYS;
  }

  async #likeliest(to: PushTo, clients: readonly Known[]): Promise<readonly SigningKey[]> {
    const held = await this.#keysOf(clients);
    if (held.length === 0) {
      this.#unsigned(to);
      return NO_KEYS;
    }
    const last = this.#taken.get(placeOf(to));
    const at = last === undefined ? -1 : held.findIndex((key) => nameOf(key) === last);
    if (at > 0) held.unshift(...held.splice(at, 1));
    return held.slice(0, 2);
  }

  took(to: PushTo, key: SigningKey): void {
    const place = placeOf(to);
    if (this.#taken.get(place) === nameOf(key)) return;
    this.#taken.delete(place);
    this.#taken.set(place, nameOf(key));
    forgetOldest(this.#taken);
  }

  async #keysOf(clients: readonly Known[]): Promise<SigningKey[]> {
    const now = this.#ports.clock.now();
    const found = clients.flatMap((known) =>
      known.doc.keys
        .filter(({ type }) => type === 'hmac')
        .map((key) => ({ known, key, rank: rankOf(key, now) }))
        .filter(({ rank }) => rank >= 0),
    );
    if (found.length === 0) return [];
    found.sort((a, b) => a.rank - b.rank || b.key.createdAt - a.key.createdAt);
    return this.#opened(found);
  }

  async #opened(found: readonly { known: Known; key: KeyDoc }[]): Promise<SigningKey[]> {
    const { book, vault, log } = this.#ports;
    try {
      const opened = await vault();
      return found.flatMap(({ known, key }) => {
        const secret = book.secretOf(known, key, opened);
        return secret === undefined ? [] : [{ clientId: known.clientId, kid: key.kid, secret }];
      });
    } catch (error) {
      warnOnce(this.#warned, 'vault', () =>
        log.error({ err: error }, 'the secrets of clients cannot be opened: nothing is signed'),
      );
      return [];
    }
  }

  #unsigned({ tenant, agentId }: PushTo): void {
    if (this.#mode === 'require') {
      const detail = `${agentId} has no signing key and egress.sign is require: make it a client (reach clients create --agent ${agentId}).`;
      throw new ReachError('egress-blocked', detail, { agent: agentId });
    }
    if (!this.#isAuthRequired) return;
    const log: Log = this.#ports.log;
    warnOnce(this.#warned, `${tenant}/${agentId}`, () =>
      log.warn(
        { tenant, agent: agentId },
        'no client of this agent has a signing key: what it is sent is not signed',
      ),
    );
  }
}

function rankOf(key: KeyDoc, now: number): number {
  const state = stateOf(key, now);
  return state === 'revoked' ? -1 : LIKELY.indexOf(state);
}

function warnOnce(warned: Set<string>, about: string, warn: () => void): void {
  if (warned.has(about)) return;
  warned.add(about);
  forgetOldest(warned);
  warn();
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size <= REMEMBERED_MAX) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}

function placeOf({ tenant, agentId, instanceId }: PushTo): string {
  return `${tenant}/${agentId}/${instanceId}`;
}

function nameOf({ clientId, kid }: SigningKey): string {
  return `${clientId}:${kid}`;
}
