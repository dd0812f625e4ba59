import { type AuditFault, ChainCheck, sealAudit } from '@agent-reach/core';
import { type Clock, type Log, loop, type Service, type Values } from '@agent-reach/core/kernel';
import type { AuditChain, TracesStore } from '../storage/spi/traces.ts';
import { type KnownHeads, shorter } from './known-heads.ts';
import type { TELEMETRY_OPTIONS } from './options.ts';

/** How seals are made, and where they go. */
export interface SealerPorts {
  store: TracesStore;
  /** Absent: seals are made without a key, so that the past can be forgotten by segments all the same. */
  key: (() => Promise<Uint8Array>) | undefined;
  /** Keeps a line in a second place; absent: there is none. */
  keepOutside: ((line: string) => Promise<void>) | undefined;
  clock: Clock;
  log: Log;
  options: Values<typeof TELEMETRY_OPTIONS>;
  heads: KnownHeads;
}

/** How often chains are looked at: a seal is late by so much. */
const PAUSE_MS = 10_000;
/** Chains of one look. */
const PAGE = 100;

/**
 * Seals what was written, and looks at it first: a chain that does not hold is told in the log. Any gateway
 * may do so at any time; of two that seal the same, one is too late, and nothing is lost by that.
 */
export function sealer(ports: SealerPorts): Service {
  const { clock, log } = ports;
  const told = new Set<string>();
  return loop({
    clock,
    pauseMs: () => PAUSE_MS,
    onError: (error) => log.error({ err: error }, 'the audit could not be sealed'),
    async round(signal) {
      const gone = new Set(ports.heads.tenants());
      for (let after = ''; ; ) {
        const chains = await ports.store.auditChains({ after, limit: PAGE });
        for (const chain of chains) {
          if (signal.aborted) return;
          gone.delete(chain.tenant);
          const cut = await ports.heads.look(chain, ports.store);
          if (cut !== undefined) tell(chain.tenant, cut, told, log);
          await sealDue(chain, told, ports);
        }
        if (chains.length < PAGE) break;
        after = chains.at(-1)?.tenant ?? after;
      }
      for (const tenant of gone) {
        const known = ports.heads.of(tenant);
        if (known !== undefined) tell(tenant, shorter(known, 0), told, log);
      }
    },
  });
}

async function sealDue(is: AuditChain, told: Set<string>, ports: SealerPorts): Promise<void> {
  const { sealRecords, sealAfterMs } = ports.options;
  let chain: AuditChain | undefined = is;
  while (chain !== undefined && chain.seq - chain.sealedSeq >= sealRecords) {
    chain = await sealNext(chain, told, ports);
  }
  if (chain === undefined || chain.seq <= chain.sealedSeq) return;
  const first = { tenant: chain.tenant, after: chain.sealedSeq, limit: 1 };
  const [oldest] = await ports.store.auditLinks(first);
  if (oldest === undefined || ports.clock.now() - momentOf(oldest.record) < sealAfterMs) return;
  await sealNext(chain, told, ports);
}

/** Seals one segment. Undefined: somebody else did, or there is nothing to seal. */
async function sealNext(
  chain: AuditChain,
  told: Set<string>,
  ports: SealerPorts,
): Promise<AuditChain | undefined> {
  const { store, clock, options } = ports;
  const { tenant, sealedSeq, sealedAt } = chain;
  const last = await checkSegment(chain, Math.min(chain.seq, sealedSeq + options.sealRecords), {
    told,
    ...ports,
  });
  if (last === undefined) return undefined;
  const sealed = {
    tenant,
    first_seq: sealedSeq + 1,
    last_seq: last.seq,
    hash: last.hash,
    // Segments are forgotten by age, the first one first, whatever the clock did.
    sealed_at: Math.max(clock.now(), sealedAt),
  };
  const seal = sealAudit(sealed, await ports.key?.());
  // First outside: what stands there only is true all the same, and what stands here only could be lost.
  await ports.keepOutside?.(`${JSON.stringify(seal)}\n`);
  if ((await store.keepSeal(seal)) === 'conflict') return undefined;
  return { ...chain, sealedSeq: last.seq, sealedAt: sealed.sealed_at };
}

/** Looks at the records of a segment; answers the last one that is there. */
async function checkSegment(
  { tenant, sealedSeq }: AuditChain,
  to: number,
  { store, log, told }: SealerPorts & { told: Set<string> },
) {
  const [before] = await store.auditSeals({ tenant, from: sealedSeq, limit: 1 });
  const isBefore = before !== undefined && before.last_seq === sealedSeq;
  const check = new ChainCheck({
    tenant,
    from: sealedSeq + 1,
    ...(isBefore ? { before: { seq: sealedSeq, hash: before.hash } } : {}),
  });
  let last: { seq: number; hash: string } | undefined;
  while (check.seq < to) {
    const limit = Math.min(1_000, to - check.seq);
    const links = await store.auditLinks({ tenant, after: check.seq, limit });
    for (const link of links) check.take(link);
    last = links.at(-1) ?? last;
    if (links.length < limit) break;
  }
  const fault = check.faults[0];
  if (fault !== undefined) tell(tenant, fault, told, log);
  return last;
}

function tell(tenant: string, fault: AuditFault, told: Set<string>, log: Log): void {
  if (told.has(tenant)) return;
  if (told.size < TOLD_MAX) told.add(tenant);
  log.error(
    { tenant, ...fault },
    'the audit is not what was written: reach audit verify says more',
  );
}

/** Tenants whose broken chains were told: it is said once, and not every ten seconds. */
const TOLD_MAX = 1_000;

/** When a line was written; of one that was tampered with, long ago. */
function momentOf(record: string): number {
  const at = /"at":(\d{1,15})/.exec(record)?.[1];
  return at === undefined ? 0 : Number(at);
}
