import { inOrder, loop, type Service } from '@agent-reach/core/kernel';
import type { Change } from '../peers/changes.ts';
import type { AgentRows, DefinitionMark, InstanceRow } from '../storage/spi/agents.ts';
import type { AgentEntry } from './directory.ts';
import { alive } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import { hearOfProbes } from './witness.ts';

interface At {
  tenant: string;
  agentId: string;
}

/** How often all that is known is compared with the store: less than half a lease. */
const COMPARE_MS = 20_000;
/** Gateways that started together compare at different times. */
const JITTER = 0.25;
/** A look at the store that local changes overtake is repeated; who never comes to rest waits. */
const LOOKS_MAX = 5;

/** Tells the other gateways that an agent, or an instance of it, is another than before. */
export function tellOthers({ tenant, agentId }: At, { peers }: RegistryPorts): void {
  peers.tell({ kind: 'agent', tenant, agentId });
}

/**
 * Takes over what other gateways do to agents: at once where they tell it, and by comparing with the
 * store now and then, which mends what was not heard.
 */
export function agentSync(ports: RegistryPorts): Service {
  const failed = (error: unknown) =>
    ports.log.error({ err: error }, 'agents could not be compared');
  const compare = loop({
    clock: ports.clock,
    pauseMs: () => COMPARE_MS * (1 - JITTER + 2 * JITTER * ports.random.next()),
    onError: failed,
    round: () => compareAll(ports),
  });
  let listening = new DisposableStack();
  const ear: Service = {
    async start() {
      listening = new DisposableStack();
      const reading: Reading = new Map();
      listening.use(ports.peers.heard.on((change) => take(change, reading, ports)));
      listening.use(ports.peers.missed.on(() => void compareAll(ports).catch(failed)));
    },
    async stop() {
      listening.dispose();
    },
  };
  return ports.peers.isPossible ? inOrder([ear, compare]) : inOrder([]);
}

/** Agents that are being read because others told of them; true: told of once more meanwhile. */
type Reading = Map<string, boolean>;

function take(change: Change, reading: Reading, ports: RegistryPorts): void {
  hearOfProbes(change, ports);
  if (change.kind !== 'agent') return;
  const name = nameOf(change);
  const isRead = reading.has(name);
  reading.set(name, isRead);
  if (isRead) return;
  reread(change, reading, ports)
    .catch((error: unknown) =>
      ports.log.warn({ err: error, agent: change.agentId }, 'a changed agent could not be read'),
    )
    .finally(() => reading.delete(name));
}

/**
 * Reads an agent until nothing more was told of it. Two hundred instances that start together are
 * told of two hundred times, and each look reads them all.
 */
async function reread(at: At, reading: Reading, ports: RegistryPorts): Promise<void> {
  do {
    reading.set(nameOf(at), false);
    await refresh(at, ports);
  } while (reading.get(nameOf(at)) === true);
}

/** An agent by name: known here, or stored by another gateway a moment ago. */
export async function knownAgent(at: At, ports: RegistryPorts): Promise<AgentEntry | undefined> {
  const entry = ports.directory.agent(at.tenant, at.agentId);
  return entry !== undefined || !ports.peers.isPossible ? entry : refresh(at, ports);
}

/** Reads one agent from the store and takes over what is another there; answers how it stands now. */
export async function refresh(at: At, ports: RegistryPorts): Promise<AgentEntry | undefined> {
  const { directory, storage } = ports;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const before = directory.agent(at.tenant, at.agentId);
    const changes = before?.changes;
    const found = await storage.agents.find(at);
    const entry = directory.agent(at.tenant, at.agentId);
    // Something was changed here while the store was read: what was read may be older.
    if (entry !== before || entry?.changes !== changes) continue;
    takeOver(at, found, ports);
    break;
  }
  return directory.agent(at.tenant, at.agentId);
}

async function compareAll(ports: RegistryPorts): Promise<void> {
  const { definitions, instances } = await ports.storage.agents.survey();
  const rows = Map.groupBy(instances, nameOf);
  const stored = new Map(definitions.map((mark) => [nameOf(mark), mark]));
  for (const [name, mark] of stored) {
    const entry = ports.directory.agent(mark.tenant, mark.agentId);
    const house = rows.get(name) ?? [];
    if (entry === undefined || !isSameDefinition(entry, mark) || !isSameHouse(entry, house)) {
      await refresh(mark, ports);
    } else {
      for (const row of house) renewed(entry, row, ports);
    }
  }
  for (const tenant of ports.directory.tenants()) {
    for (const { definition } of ports.directory.agents(tenant)) {
      if (!stored.has(nameOf(definition))) await refresh(definition, ports);
    }
  }
}

function nameOf({ tenant, agentId }: At): string {
  return `${tenant}/${agentId}`;
}

/** Whether the same instances live at the same addresses, wanted for the same. */
function isSameHouse(entry: AgentEntry, rows: readonly InstanceRow[]): boolean {
  if (entry.instances.size !== rows.length) return false;
  return rows.every((row) => {
    const known = entry.instances.get(row.instanceId)?.row;
    return known?.addrVersion === row.addrVersion && known.intent === row.intent;
  });
}

function takeOver(at: At, found: AgentRows | undefined, ports: RegistryPorts): void {
  const { directory } = ports;
  if (found === undefined) {
    const entry = directory.remove(at.tenant, at.agentId);
    for (const instance of entry?.instances.values() ?? []) ports.board.drop(instance.key);
    if (entry !== undefined) ports.left(at);
    return;
  }
  const before = directory.agent(at.tenant, at.agentId);
  const isAsBefore = before !== undefined && isSameDefinition(before, found.definition);
  const entry = isAsBefore ? before : directory.define(found.definition);
  const { came, went } = settle(entry, found.instances, ports);
  if (!isAsBefore || came) ports.arrived(at);
  if (went) ports.left(at);
}

function isSameDefinition({ definition: known }: AgentEntry, found: DefinitionMark): boolean {
  return known.digest === found.digest && known.manifestVersion === found.manifestVersion;
}

/** Makes the instances of an agent those that are stored; whether some came, or went, for routes. */
function settle(entry: AgentEntry, rows: readonly InstanceRow[], ports: RegistryPorts) {
  const moved = { came: false, went: false };
  const stored = new Set(rows.map(({ instanceId }) => instanceId));
  for (const instance of entry.instances.values()) {
    if (stored.has(instance.row.instanceId)) continue;
    const { tenant, agentId, instanceId } = instance.row;
    ports.directory.leave(tenant, agentId, instanceId);
    ports.board.drop(instance.key);
    moved.went = true;
  }
  for (const row of rows) {
    const known = entry.instances.get(row.instanceId);
    if (known?.row.addrVersion === row.addrVersion) {
      const was = known.row.intent;
      renewed(entry, row, ports);
      if (was === row.intent) continue;
      moved[row.intent === 'enabled' ? 'came' : 'went'] = true;
      ports.directory.touch(row);
    } else {
      ports.directory.join(entry, row);
      moved.came = true;
    }
  }
  return moved;
}

/** Takes over a row of the same process at the same address; a beat that came here meanwhile stays. */
function renewed(entry: AgentEntry, row: InstanceRow, ports: RegistryPorts): void {
  const instance = entry.instances.get(row.instanceId);
  if (instance === undefined) return;
  const known = instance.row;
  const isNews = row.lastHeartbeatAt > known.lastHeartbeatAt;
  const { seq, reported, lastHeartbeatAt, leaseMs } = isNews ? row : known;
  const leaseEndsAt = Math.max(known.leaseEndsAt, row.leaseEndsAt);
  const now = { ...row, seq, reported, lastHeartbeatAt, leaseMs, leaseEndsAt };
  if (isNews) alive(instance, now, ports);
  else instance.row = now;
}
