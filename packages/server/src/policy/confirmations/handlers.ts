import {
  type Asker,
  type ConfirmationView,
  type HandlersOf,
  type Input,
  ReachError,
  ROLES,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Confirmation } from '../../storage/spi/confirmations.ts';
import type { PolicyPorts } from '../ports.ts';
import { type About, type Decided, readAbout, readDecision } from './about.ts';

type Ports = Pick<PolicyPorts, 'ledger' | 'now' | 'clock'>;

const LIMIT = 100;

/** What the confirmations' noun answers. */
export function confirmationHandlers(ports: Ports): HandlersOf<'confirmations'> {
  return {
    'confirmations.list': async ({ limit = LIMIT }, { tenant, principal, client }) => {
      const own = client?.onlyOwn === true ? { principal } : {};
      const query = { tenant, ...own, limit, now: ports.now() };
      const rows = await ports.ledger.listConfirmations(query);
      const now = ports.clock.now();
      return { confirmations: rows.map((row) => viewOf(row, row.expiresAt - now)) };
    },
    'confirmations.get': async ({ id }, asker) => {
      const { row, leftMs } = await demandRow(id, asker, ports);
      return viewOf(row, leftMs);
    },
    'confirmations.approve': (input, asker) => decide('approved', input, asker, ports),
    'confirmations.refuse': (input, asker) => decide('refused', input, asker, ports),
  };
}

/** One that the asker may see; to all others it is as if there were none. */
async function demandRow(
  id: string,
  { tenant, principal, client }: Asker,
  { ledger, now }: Ports,
): Promise<{ row: Confirmation; leftMs: number }> {
  const found = await ledger.findConfirmation({ tenant, id, now: now() });
  const isHidden = client?.onlyOwn === true && found?.row.principal !== principal;
  if (found !== undefined && !isHidden) return found;
  throw new ReachError('not-found', `No confirmation is called ${id}.`);
}

async function decide(
  verdict: 'approved' | 'refused',
  { id, reason }: Input<'confirmations.approve'>,
  asker: Asker,
  ports: Ports,
): Promise<ConfirmationView> {
  const { tenant, principal } = asker;
  const { row } = await demandRow(id, asker, ports);
  if (verdict === 'approved') demandApprover(row, asker);
  const decision: Decided = { by: principal, ...(reason === undefined ? {} : { reason }) };
  const outcome = await ports.ledger.decideConfirmation({
    tenant,
    id,
    verdict,
    decision: JSON.stringify(decision),
    now: ports.now(),
  });
  const after = await demandRow(id, asker, ports);
  const view = viewOf(after.row, after.leftMs);
  if (outcome === 'decided') return view;
  // Whoever repeats his own word, because he did not hear the answer, is told the same once more.
  if (view.status === verdict && view.decided_by === principal) return view;
  throw tooLate(verdict, view);
}

/**
 * Refuses those who may not say yes: whoever asked, in whatever name, and those whom the rule does
 * not name. Where nobody is asked who he is, only the first can be told apart.
 */
function demandApprover(row: Confirmation, { principal, client }: Asker): void {
  const { root, preview, approvers } = readAbout(row);
  const asked = [row.principal, root, preview.on_behalf_of];
  if ([principal, client?.actsAs].some((name) => name !== undefined && asked.includes(name))) {
    throw new ReachError(
      'permission-denied',
      `${principal} asked for ${row.id}: somebody else must approve it.`,
    );
  }
  if (approvers === undefined || client === undefined) return;
  const { role } = client;
  const hasRole = (wanted: string) =>
    role !== undefined && ROLES.indexOf(role) >= (ROLES as readonly string[]).indexOf(wanted);
  const isNamed = approvers.some((one) =>
    one.startsWith('role:') ? hasRole(one.slice('role:'.length)) : one === principal,
  );
  if (isNamed) return;
  const detail = `${row.id} is approved by ${approvers.join(', ')} alone, and ${principal} is none of them.`;
  throw new ReachError('permission-denied', detail);
}

function tooLate(verdict: string, { id, by, status }: ConfirmationView): ReachError {
  const why =
    verdict === 'approved' && by !== 'human' && status === 'pending'
      ? `it is confirmed by its code, which ${by === 'caller' ? 'whoever asked' : 'the agent'} has`
      : `it is ${status}`;
  return new ReachError('confirmation-invalid', `${id} cannot be ${verdict} any more: ${why}.`, {
    confirmation: id,
    reason: status,
  });
}

function viewOf(row: Confirmation, leftMs: number): ConfirmationView {
  const { by, preview, approvers }: About = readAbout(row);
  const decided = readDecision(row);
  const isOver = leftMs <= 0 && (row.state === 'pending' || row.state === 'approved');
  return {
    id: row.id,
    by,
    status: isOver ? 'expired' : row.state,
    principal: row.principal,
    preview,
    ...(approvers === undefined ? {} : { approvers: [...approvers] }),
    ...(decided === undefined ? {} : { decided_by: decided.by }),
    ...(decided?.reason === undefined ? {} : { reason: decided.reason }),
    wrong_tries: row.tries,
    created_at: iso(row.createdAt),
    expires_at: iso(row.expiresAt),
    expires_in_ms: Math.max(0, Math.floor(leftMs)),
  };
}
