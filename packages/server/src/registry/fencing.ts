import { OPEN_TENANT } from '@agent-reach/core';
import { inOrder, loop, type Service } from '@agent-reach/core/kernel';
import { beatOf, opinionOn } from './conclude.ts';
import type { Instance } from './directory.ts';
import { FENCES } from './fence-book.ts';
import {
  afterMove,
  type Fence,
  type FenceDoc,
  type FenceFacts,
  type FenceMove,
  moveOf,
  nameOf,
  NO_FENCES,
} from './fence-machine.ts';
import { shift } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import { whyNotRoutable } from './routable.ts';

/** How often ends of fences are looked for. */
const TICK_MS = 1_000;
/** How soon a gateway sees what another one wrote if it did not hear of it. */
const REREAD_MS = 5_000;
/** Gateways that write at once settle after a few rounds. */
const ROUNDS_MAX = 8;

/**
 * Keeps fences: reads those that are stored, hears of those that other gateways put up, and ends
 * them. Each instance is fenced and lifted by the gateway that looks after it.
 */
export function fencing(ports: RegistryPorts): Service {
  const failed = (error: unknown) => ports.log.error({ err: error }, 'fences could not be kept');
  let listening: Disposable | undefined;
  const ear: Service = {
    async start() {
      listening = ports.peers.heard.on((change) => {
        if (change.kind !== 'rule' || change.name !== FENCES) return;
        reread(change.tenant, ports).catch(failed);
      });
    },
    stop: async () => listening?.[Symbol.dispose](),
  };
  let readAt = ports.clock.monotonic();
  const ticks = loop({
    clock: ports.clock,
    pauseMs: () => TICK_MS,
    onError: failed,
    async round() {
      if (ports.peers.isPossible && ports.clock.monotonic() - readAt >= REREAD_MS) {
        readAt = ports.clock.monotonic();
        await readFences(ports);
      }
      for (const instance of Array.from(ports.directory.allInstances())) {
        apply(instance, ports);
        const { fence } = instance;
        if (fence !== undefined && fence.until <= ports.clock.now()) {
          await considerFence(instance, ports);
        }
      }
    },
  });
  return inOrder([ear, ticks]);
}

/** Reads the fences of all tenants. */
export async function readFences(ports: RegistryPorts): Promise<void> {
  for (const tenant of new Set([OPEN_TENANT, ...ports.directory.tenants()])) {
    await reread(tenant, ports);
  }
}

async function reread(tenant: string, ports: RegistryPorts): Promise<void> {
  const row = await ports.storage.rules.get({ tenant, name: FENCES });
  if (row !== undefined) takeIn(tenant, row.version, JSON.parse(row.doc) as FenceDoc, ports);
}

function takeIn(tenant: string, version: number, doc: FenceDoc, ports: RegistryPorts): void {
  if (version <= ports.fences.versionOf(tenant)) return;
  ports.fences.take(tenant, version, doc);
  for (const { definition } of ports.directory.agents(tenant)) {
    const entry = ports.directory.agent(tenant, definition.agentId);
    for (const instance of entry?.instances.values() ?? []) apply(instance, ports);
  }
}

/** Puts in force what is written of an instance. */
function apply(instance: Instance, ports: RegistryPorts): void {
  const { row, fence: before } = instance;
  const fence = ports.fences.fenceOf(row.tenant, whoOf(instance), ports.clock.now());
  if (fence?.epoch === before?.epoch) return;
  const wasAway = whyNotRoutable(instance) !== undefined;
  instance.fence = fence;
  instance.scoring.last = undefined;
  const isAway = whyNotRoutable(instance) !== undefined;
  const about = { instance: instance.key, epoch: (fence ?? before)?.epoch };
  if (fence === undefined) ports.log.info(about, 'a fence is over');
  else ports.log.warn({ ...about, why: fence.reason }, 'an instance is fenced');
  ports.directory.touch(row);
  const at = { tenant: row.tenant, agentId: row.agentId };
  if (wasAway && !isAway) {
    ports.scores.cameBack(instance);
    ports.arrived(at);
  } else if (!wasAway && isAway) ports.left(at);
}

/**
 * Fences an instance, lifts its fence or leaves it, as the rules say. The document is read anew, and
 * written only as it was read, so that no two gateways go over the bounds together.
 */
export async function considerFence(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { fencePart: part } = ports.options;
  if (!isConcerned(instance, ports) || part === 'off') return;
  const { fenceLeaseMs: leaseMs, fenceLeaseMaxMs: leaseMaxMs, fenceVetoMs: vetoMs } = ports.options;
  const facts = factsOf(instance, ports);
  const move = await amend(
    instance.row.tenant,
    (doc, epoch) => moveOf(doc, facts, { leaseMs, leaseMaxMs, vetoMs, part }, epoch),
    ports,
  );
  if (move.is === 'spare') spare(instance, move, ports);
}

/** An operator's word: whatever was held against it is forgotten, and looked at anew. */
export async function liftFence(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { fence } = instance;
  if (fence === undefined) return;
  instance.failures = 0;
  if (instance.probeAt !== undefined) instance.probeAt = 0;
  const lift = ({ fences }: FenceDoc): FenceMove => {
    const present = fences.find((one) => one.epoch === fence.epoch && isSame(one, fence));
    return present?.liftedAt === undefined && present !== undefined
      ? { is: 'lift', fence: present }
      : { is: 'nothing' };
  };
  await amend(instance.row.tenant, lift, ports);
}

function isSame(a: Fence, b: Fence): boolean {
  return nameOf(a) === nameOf(b) && a.addr === b.addr;
}

/** Whether there can be anything to do: asked before the store is. */
function isConcerned(instance: Instance, ports: RegistryPorts): boolean {
  const { row, fence, failures } = instance;
  if (row.mode !== 'push' || !ports.peers.isMine(instance.key)) return false;
  if (fence !== undefined) return fence.until <= ports.clock.now();
  if (row.intent !== 'enabled' || failures < 2) return false;
  return (
    (instance.observed === 'suspect' || instance.observed === 'degraded') &&
    opinionOn(instance, ports) === 'agreed'
  );
}

function factsOf(instance: Instance, ports: RegistryPorts): FenceFacts {
  const { row, failures, failure, sight } = instance;
  const { directory, clock, random, board } = ports;
  const entry = directory.agent(row.tenant, row.agentId);
  const calledAt = Math.max(
    board.of(instance.key).succeededAt ?? -Infinity,
    sight.vouchedAt ?? -Infinity,
  );
  let fleet = 0;
  for (const one of directory.allInstances()) {
    if (one.row.tenant === row.tenant && one.row.mode === 'push' && one.observed !== 'gone')
      fleet += 1;
  }
  const names = entry?.definition.manifest.capabilities.map(({ name }) => name) ?? [];
  return {
    who: whoOf(instance),
    now: clock.now(),
    lost: failures,
    passed: sight.passed,
    failure: failure ?? 'no answer',
    isDefinite: sight.isDefinite,
    ...beatOf(instance, ports),
    calledAgoMs: calledAt === -Infinity ? undefined : clock.monotonic() - calledAt,
    rooms: names.map((capability) => ({
      capability,
      members: membersOf(row.tenant, capability, ports),
    })),
    fleet,
    draw: random.next(),
  };
}

function whoOf({ row }: Instance) {
  return { agent: row.agentId, instance: row.instanceId, addr: row.addrVersion };
}

/** Who of those that offer a capability could take it: wanted, and reached at least once. */
function membersOf(
  tenant: string,
  capability: string,
  { directory }: Pick<RegistryPorts, 'directory'>,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { agent } of directory.offers(tenant, capability)) {
    for (const { row, observed } of agent.instances.values()) {
      const isCounted = row.intent === 'enabled' && observed !== 'gone' && observed !== 'new';
      if (isCounted) names.add(nameOf({ agent: row.agentId, instance: row.instanceId }));
    }
  }
  return names;
}

/** Makes the move that `decide` chooses by the document as it stands, whoever else writes too. */
async function amend(
  tenant: string,
  decide: (doc: FenceDoc, epoch: number) => FenceMove,
  ports: RegistryPorts,
): Promise<FenceMove> {
  const { storage, clock, peers } = ports;
  let row = await storage.rules.get({ tenant, name: FENCES });
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const doc = row === undefined ? NO_FENCES : (JSON.parse(row.doc) as FenceDoc);
    const version = row?.version ?? 0;
    const move = decide(doc, version + 1);
    if (move.is === 'nothing' || move.is === 'spare') {
      if (row !== undefined) takeIn(tenant, version, doc, ports);
      return move;
    }
    const next = afterMove(doc, move, clock.now());
    const answer = await storage.rules.put({
      tenant,
      name: FENCES,
      doc: JSON.stringify(next),
      by: 'gateway',
      expectVersion: version,
      now: ports.now(),
    });
    if (answer.outcome === 'stored') {
      takeIn(tenant, answer.row.version, next, ports);
      peers.tell({ kind: 'rule', tenant, name: FENCES });
      return move;
    }
    row = answer.row;
  }
  // The next probe tries again.
  return { is: 'nothing' };
}

function spare(
  instance: Instance,
  { reason, isBound }: Extract<FenceMove, { is: 'spare' }>,
  ports: RegistryPorts,
): void {
  const { sight } = instance;
  if (sight.spared === undefined) {
    const about = { instance: instance.key, why: reason };
    if (isBound) ports.log.warn(about, 'no more can be fenced');
    else ports.log.info(about, 'an instance is not fenced');
  }
  sight.spared = reason;
  instance.scoring.last = undefined;
  shift(instance, 'spared', ports);
}
