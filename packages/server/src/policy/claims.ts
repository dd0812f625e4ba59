import {
  type Asker,
  type HandlersOf,
  issuesOf,
  type Output,
  OwnersPolicy,
  ReachError,
} from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { Now } from '../storage/spi/now.ts';
import type { RulesStore } from '../storage/spi/rules.ts';
import { OWNERS, type OwnerBook, standingIn, withVerdict } from './owners.ts';

/** An offer, as far as its name goes. */
export interface NamedOffer {
  capability: string;
  agentId: string;
}

/** What owning names works with. */
export interface ClaimPorts {
  rules: RulesStore;
  book: OwnerBook;
  /** All that is offered in a tenant, pending or not. */
  offers: (tenant: string) => Iterable<NamedOffer>;
  /** False: nobody is asked who he is, and so nobody owns a name. */
  isAuthRequired: boolean;
  /** Told when an agent may offer what it could not before. */
  approved: (at: { tenant: string; agentId: string }) => void;
  peers: Peers;
  now: () => Now;
  log: Log;
}

/** Several who write at once settle after a few rounds. */
const ROUNDS_MAX = 8;

/**
 * Takes the names that an agent offers for it, as far as nobody has them; one that was offered before
 * names had owners goes to those who offer it. Whoever an operator registers is approved by that.
 * Answers which of the names are another one's.
 */
export async function claimNames(
  { agentId, names }: { agentId: string; names: readonly string[] },
  asker: Pick<Asker, 'tenant' | 'principal' | 'client'>,
  ports: ClaimPorts,
): Promise<string[]> {
  if (!ports.isAuthRequired) return [];
  const { tenant } = asker;
  const isByOperator = asker.client?.onlyOwn === false;
  const isSettled = names.every((name) => {
    const standing = ports.book.standing(tenant, name, agentId);
    return standing === 'approved' || (standing !== 'free' && !isByOperator);
  });
  const move = (doc: OwnersPolicy) => {
    let next = doc;
    for (const capability of names) {
      next = withThoseBefore(next, capability, tenant, ports);
      const isFree = standingIn(next, capability, agentId) === 'free';
      if (isByOperator || isFree) next = withVerdict(next, { capability, agentId }, 'approved');
    }
    return next;
  };
  if (!isSettled) await change(asker, move, ports);
  return names.filter((name) => ports.book.standing(tenant, name, agentId) !== 'approved');
}

/** What is offered and nobody's yet, as from before names had owners, is theirs who offer it. */
function withThoseBefore(
  doc: OwnersPolicy,
  capability: string,
  tenant: string,
  { offers }: ClaimPorts,
): OwnersPolicy {
  if (standingIn(doc, capability, '') !== 'free') return doc;
  return [...offers(tenant)]
    .filter((offer) => offer.capability === capability)
    .reduce((next, offer) => withVerdict(next, offer, 'approved'), doc);
}

type Standing = Output<'capabilities.approve'>;

/** What the capabilities' noun answers. */
export function capabilityHandlers(ports: ClaimPorts): HandlersOf<'capabilities'> {
  const decide = async (at: NamedOffer, asker: Asker, verdict: 'approved' | 'refused') => {
    const move = (doc: OwnersPolicy) =>
      withVerdict(withThoseBefore(doc, at.capability, asker.tenant, ports), at, verdict);
    await change(asker, move, ports);
    if (verdict === 'approved') ports.approved({ tenant: asker.tenant, agentId: at.agentId });
    return viewOf(at, asker.tenant, ports) ?? { ...named(at, asker.tenant, ports), is: verdict };
  };
  return {
    'capabilities.pending': (_, { tenant }) => ({
      offers: [...ports.offers(tenant)].flatMap((offer) => {
        const view = ports.isAuthRequired ? viewOf(offer, tenant, ports) : undefined;
        return view === undefined || view.is === 'approved' ? [] : [view];
      }),
    }),
    'capabilities.approve': ({ capability, agent_id: agentId }, asker) =>
      decide({ capability, agentId }, asker, 'approved'),
    'capabilities.refuse': ({ capability, agent_id: agentId }, asker) =>
      decide({ capability, agentId }, asker, 'refused'),
  };
}

/** Undefined: the name is nobody's. */
function viewOf(offer: NamedOffer, tenant: string, ports: ClaimPorts): Standing | undefined {
  const standing = ports.book.standing(tenant, offer.capability, offer.agentId);
  return standing === 'free' ? undefined : { ...named(offer, tenant, ports), is: standing };
}

function named({ capability, agentId: agent }: NamedOffer, tenant: string, { book }: ClaimPorts) {
  return { capability, agent, owners: [...book.ownersOf(tenant, capability)] };
}

/** Writes the next version of the document, of whatever stands there when it is written. */
async function change(
  { tenant, principal }: Pick<Asker, 'tenant' | 'principal'>,
  move: (doc: OwnersPolicy) => OwnersPolicy,
  { rules, book, peers, now, log }: ClaimPorts,
): Promise<void> {
  const at = { tenant, name: OWNERS };
  let row = await rules.get(at);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = row === undefined ? {} : (JSON.parse(row.doc) as OwnersPolicy);
    const doc = move(before);
    if (doc === before) {
      if (row !== undefined) book.take(tenant, row.version, before);
      return;
    }
    demandForm(doc);
    const answer = await rules.put({
      ...at,
      doc: JSON.stringify(doc),
      by: principal,
      expectVersion: row?.version ?? 0,
      now: now(),
    });
    row = answer.row;
    if (answer.outcome === 'conflict') continue;
    book.take(tenant, row.version, doc);
    peers.tell({ kind: 'rule', ...at });
    log.info({ tenant, version: row.version, by: principal }, 'who owns which names changed');
    return;
  }
  const detail = 'The owners of capabilities are changed by too many at once.';
  throw new ReachError('overloaded', detail, { retry_after_ms: 1_000 });
}

/** Names and owners have bounds, which a document that grows by itself must keep, too. */
function demandForm(doc: OwnersPolicy): void {
  const [first] = issuesOf(OwnersPolicy, doc);
  if (first === undefined) return;
  const detail = `The document owners has no room for more: ${first.pointer} ${first.detail}.`;
  throw new ReachError('rule-refused', detail, { errors: [first] });
}
