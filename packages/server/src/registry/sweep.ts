import { loop, type Service } from '@agent-reach/core/kernel';
import type { Instance } from './directory.ts';
import { shift } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import type { Holding } from './silence-machine.ts';
import { refresh, tellOthers } from './sync.ts';

const SWEEP_MS = 1_000;
/** Instances forgotten in one sweep: a bound on one store move, the rest waits a second. */
const SWEEP_MAX = 100;
/** A sweep may come so late without a word. */
const LATE_MS = 500;
/** After a longer stop than this agents must find the way back first: that takes them so long. */
const STOPPED_MS = 1_000;
const WAY_BACK_MS = 15_000;

/** Instances of a tenant that are not gone, and those of them whose lease is over. */
interface Muster {
  all: number;
  silent: Instance[];
}

/**
 * Ends leases that lapsed and forgets instances that are long gone. It doubts twice before it does:
 * whether it was awake itself, and whether so many can have died at once.
 */
export function sweeper(ports: RegistryPorts): Service {
  const { clock, doubt, log } = ports;
  // By both clocks: the time that a machine slept passes on one of them alone.
  let due = { wall: 0, monotonic: 0 };
  const setDue = () => {
    due = { wall: clock.now() + SWEEP_MS, monotonic: clock.monotonic() + SWEEP_MS };
  };
  const sinceDue = () => [clock.now() - due.wall, clock.monotonic() - due.monotonic];
  /** Before it nobody is forgotten: what the store has of the living may be older than that. */
  let rememberUntil = 0;
  const rounds = loop({
    clock,
    pauseMs: () => SWEEP_MS,
    onError: (error) => log.error({ err: error }, 'the lease sweep stumbled'),
    async round() {
      try {
        const lateMs = Math.max(0, ...sinceDue());
        doubt.late(lateMs);
        if (lateMs > LATE_MS) {
          makeUpFor(lateMs, ports);
          rememberUntil = clock.monotonic() + longestLeaseMs(ports);
        }
        const isLongGone = await sweep(ports);
        if (isLongGone && clock.monotonic() >= rememberUntil) await forget(ports);
      } finally {
        setDue();
      }
    },
  });
  return {
    async start() {
      setDue();
      rememberUntil = clock.monotonic() + longestLeaseMs(ports);
      await rounds.start();
    },
    stop: () => rounds.stop(),
  };
}

/** Nobody was heard while this process was stopped: that time counts for no lease. */
function makeUpFor(lateMs: number, { clock, directory, log }: RegistryPorts): void {
  const soonest = lateMs > STOPPED_MS ? clock.now() + WAY_BACK_MS : 0;
  for (const instance of directory.allInstances()) {
    if (instance.observed === 'gone') continue;
    const leaseEndsAt = Math.max(instance.row.leaseEndsAt + lateMs, soonest);
    instance.row = { ...instance.row, leaseEndsAt };
  }
  log.warn({ lateMs: Math.round(lateMs) }, 'this gateway was stopped; leases are as much longer');
}

function longestLeaseMs({ directory }: RegistryPorts): number {
  let longest = 0;
  for (const { row } of directory.allInstances()) longest = Math.max(longest, row.leaseMs);
  return longest;
}

/** Declares gone whose silence is believed. Whether somebody has been gone for so long that he is forgotten. */
async function sweep(ports: RegistryPorts): Promise<boolean> {
  const { directory, clock, doubt, options, silences } = ports;
  const now = clock.now();
  const { patience } = doubt;
  const musters = new Map<string, Muster>();
  let longestGoneMs = 0;
  let longestHeldMs = 0;
  for (const instance of directory.allInstances()) {
    const { row, observed } = instance;
    const overMs = now - row.leaseEndsAt;
    if (observed === 'gone') {
      longestGoneMs = Math.max(longestGoneMs, overMs);
      continue;
    }
    let muster = musters.get(row.tenant);
    if (muster === undefined) musters.set(row.tenant, (muster = { all: 0, silent: [] }));
    muster.all += 1;
    if (overMs >= 0) longestHeldMs = Math.max(longestHeldMs, overMs);
    if (overMs >= (patience - 1) * row.leaseMs) muster.silent.push(instance);
  }
  for (const [tenant, muster] of musters) await judge(tenant, muster, ports);
  for (const tenant of silences.held)
    if (!musters.has(tenant)) silences.judge(tenant, NOBODY, clock.monotonic());
  // The store knows no doubt: it would forget those as well that are only silent.
  return longestGoneMs >= options.goneKeepMs && longestHeldMs < options.goneKeepMs;
}

const NOBODY = { all: 0, silent: 0 };

async function judge(tenant: string, { all, silent }: Muster, ports: RegistryPorts): Promise<void> {
  const { silences, clock, random } = ports;
  const roll = { all, silent: silent.length };
  const { mayGo, turned } = silences.judge(tenant, roll, clock.monotonic());
  if (turned !== undefined) tell({ tenant, ...roll }, turned, ports);
  for (let left = mayGo; left > 0 && silent.length > 0; ) {
    // By chance: a rule would take all instances of one agent.
    const [instance] = silent.splice(random.below(silent.length), 1);
    // A copy: looking at the store may change who is there.
    if (instance === undefined || (await isRenewedElsewhere(instance, ports))) continue;
    shift(instance, 'lease-lapsed', ports);
    silences.gone(tenant, clock.monotonic());
    left -= 1;
  }
}

function tell(
  facts: { tenant: string; all: number; silent: number },
  turned: Holding['kind'],
  { log }: RegistryPorts,
): void {
  switch (turned) {
    case 'held':
      log.error(facts, 'too many are silent at once; nobody is declared gone for it');
      break;
    case 'given-up':
      log.error(facts, 'so many have been silent for so long that it is believed');
      break;
    case 'believed':
      log.warn(facts, 'silence is believed again');
      break;
  }
}

/** Whether an instance beats at another gateway. Asked once a lease, before it is given up. */
async function isRenewedElsewhere(instance: Instance, ports: RegistryPorts): Promise<boolean> {
  if (!ports.peers.isPossible) return false;
  const { tenant, agentId, instanceId } = instance.row;
  const entry = await refresh({ tenant, agentId }, ports);
  const row = entry?.instances.get(instanceId)?.row;
  return row === undefined || row.leaseEndsAt > ports.clock.now();
}

async function forget(ports: RegistryPorts): Promise<void> {
  const gone = await ports.storage.agents.sweep({
    goneForMs: ports.options.goneKeepMs,
    limit: SWEEP_MAX,
    now: ports.now(),
  });
  for (const { tenant, agentId, instanceId } of gone) {
    const instance = ports.directory.leave(tenant, agentId, instanceId);
    if (instance !== undefined) ports.board.drop(instance.key);
    tellOthers({ tenant, agentId }, ports);
  }
}
