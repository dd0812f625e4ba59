import { TEXT_BYTES_MAX } from '../storage/spi/shared.ts';

/** What one gateway tells the others. Each is a hint to look, or a measurement; none is the truth. */
export type Change =
  /** The definition, or an instance, of an agent. */
  | { kind: 'agent'; tenant: string; agentId: string }
  /** A stored document of operators. */
  | { kind: 'rule'; tenant: string; name: string }
  /** There may be work for an agent. */
  | { kind: 'work'; tenant: string; agentId: string }
  /** A task ended, or a lease of it did: that of `epoch` and all before. */
  | { kind: 'task'; tenant: string; taskId: string; epoch: number }
  /** What a probe of an instance found. */
  | ProbeReport
  /** Who is named shall look at an instance, and whoever saw a call get through say so. */
  | LookRequest
  /** A call got through to an instance, so long ago. */
  | Vouch;

/** Which instance, at which of its addresses. */
interface InstanceAt {
  tenant: string;
  agentId: string;
  instanceId: string;
  addrVersion: number;
}

export interface LookRequest extends InstanceAt {
  kind: 'look';
  /** ids of gateways, between blanks; nobody: they are asked for calls alone. */
  of: string;
}

export interface Vouch extends InstanceAt {
  kind: 'vouch';
  agoMs: number;
}

/** What one gateway found when it probed an instance at one address. */
export interface ProbeReport extends InstanceAt {
  kind: 'probe';
  /** Whose finding it is; absent: of a release that does not say. */
  by?: string;
  /** Absent: it did not answer as it should. */
  rttMs?: number;
  /** What was wrong. */
  detail?: string;
  /** For how long its probes have been lost there. */
  losingMs?: number;
  /** It was looked at because another asked; he says what comes of it. */
  isAsked?: true;
  /** Whoever looks after it has concluded that it is unreachable. */
  isVerdict?: true;
}

/** A gateway, as the others know it. */
export interface Node {
  /** Of this run: another one each time it starts. */
  id: string;
  /** What its operator calls it. */
  name: string;
  /** Since when it runs, epoch ms by the clock of the store. */
  since: number;
}

/** One message: who tells it, what he says of himself, and what he knows. */
export interface Message {
  from: Node;
  /** `hello` asks the others to say that they are there; `bye` is the last word. */
  word: 'hello' | 'here' | 'bye';
  changes: readonly Change[];
}

const FORMAT = 1;

/**
 * Messages as texts, each short enough to be sent. A change told twice is written once. One that
 * does not fit into a text by itself (names of thousands of letters) is left out: it is only a hint.
 */
export function write(message: Message): string[] {
  const { from, word } = message;
  const bare = `${headOf(from)}${JSON.stringify({ word, changes: [] }).slice(1)}`;
  const room = TEXT_BYTES_MAX - Buffer.byteLength(bare);
  const texts: string[] = [];
  let parts: string[] = [];
  let size = 0;
  const flush = () => {
    texts.push(`${bare.slice(0, -2)}${parts.join(',')}]}`);
    parts = [];
    size = 0;
  };
  for (const part of new Set(message.changes.map((change) => JSON.stringify(change)))) {
    const bytes = Buffer.byteLength(part) + 1;
    if (bytes > room) continue;
    if (size + bytes > room) flush();
    parts.push(part);
    size += bytes;
  }
  if (parts.length > 0 || texts.length === 0) flush();
  return texts;
}

/** How every text of a gateway begins. */
function headOf(from: Node): string {
  return `${JSON.stringify({ v: FORMAT, from }).slice(0, -1)},`;
}

/** Tells the texts of one gateway from all others without reading them. */
export function markOf(from: Node): (text: string) => boolean {
  const head = headOf(from);
  return (text) => text.startsWith(head);
}

/**
 * Reads a message; undefined: it is none of ours, or of a release that writes another form. Changes
 * of kinds that this release does not know are left out, so that two releases live side by side.
 */
export function read(text: string): Message | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(said) || said['v'] !== FORMAT || !isNode(said['from'])) return undefined;
  const { from, word, changes } = said;
  if (word !== 'hello' && word !== 'here' && word !== 'bye') return undefined;
  return { from, word, changes: Array.isArray(changes) ? changes.filter(isChange) : [] };
}

/** The texts that each kind must name. */
const NAMES: Readonly<Record<Change['kind'], readonly string[]>> = {
  agent: ['tenant', 'agentId'],
  rule: ['tenant', 'name'],
  work: ['tenant', 'agentId'],
  task: ['tenant', 'taskId'],
  probe: ['tenant', 'agentId', 'instanceId'],
  look: ['tenant', 'agentId', 'instanceId', 'of'],
  vouch: ['tenant', 'agentId', 'instanceId'],
};

function isChange(said: unknown): said is Change {
  if (!isRecord(said)) return false;
  const { kind } = said;
  if (typeof kind !== 'string' || !Object.hasOwn(NAMES, kind)) return false;
  const names = NAMES[kind as Change['kind']];
  if (names.some((name) => typeof said[name] !== 'string')) return false;
  if (kind === 'task') return Number.isSafeInteger(said['epoch']);
  if (kind === 'agent' || kind === 'rule' || kind === 'work') return true;
  if (!Number.isSafeInteger(said['addrVersion'])) return false;
  if (kind === 'vouch') return isSpan(said['agoMs']);
  return kind === 'look' || isReport(said);
}

function isReport({ by, rttMs, detail, losingMs }: Record<string, unknown>): boolean {
  return (
    (rttMs === undefined || isSpan(rttMs)) &&
    (losingMs === undefined || isSpan(losingMs)) &&
    (detail === undefined || typeof detail === 'string') &&
    (by === undefined || typeof by === 'string')
  );
}

function isSpan(said: unknown): boolean {
  return typeof said === 'number' && said >= 0;
}

function isNode(said: unknown): said is Node {
  if (!isRecord(said)) return false;
  const { id, name, since } = said;
  return typeof id === 'string' && typeof name === 'string' && typeof since === 'number';
}

function isRecord(said: unknown): said is Record<string, unknown> {
  return typeof said === 'object' && said !== null && !Array.isArray(said);
}
