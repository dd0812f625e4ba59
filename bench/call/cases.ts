import type { Job } from './load.ts';
import type { SetupName } from './governed-gateway.ts';
import { CALLER, PARAMS, READ, WRITE } from './sample.ts';

/** A way to have the same thing done, as data. */
interface Spec {
  what: string;
  /** Who is called. */
  at: 'agent' | 'proxy' | SetupName;
  /** The same without one thing: what it costs more is the price of that thing. */
  over?: string;
  capability?: typeof READ | typeof WRITE;
  key?: Job['key'];
}

/**
 * Who must sign is always granted something, and who writes always has a key: those parts stand on
 * each other, all others on the plain call.
 */
const SPECS = {
  direct: { what: 'the agent called directly; bare node:http', at: 'agent' },
  proxy: { what: 'a bare fastify + undici dispatch proxy before it: the anchor', at: 'proxy' },
  plain: {
    what: 'Agent-Reach: a read; both schemas checked, trace and audit written behind',
    at: 'open',
  },
  keyed: {
    what: 'a read with a new key; its claim and its result synced to disk',
    at: 'open',
    over: 'plain',
    key: 'fresh',
  },
  written: {
    what: 'a write, which needs a key and waits for its line of the audit, too',
    at: 'open',
    over: 'keyed',
    capability: WRITE,
    key: 'fresh',
  },
  replayed: {
    what: 'the same write with a key that was answered before',
    at: 'open',
    capability: WRITE,
    key: 'same',
  },
  'signed-in': {
    what: 'who asks must sign: `auth.mode=required`, profile reach-v1, one grant',
    at: 'signed-in',
    over: 'plain',
  },
  granted: { what: 'the same with 100 rows of grants', at: 'granted', over: 'signed-in' },
  'signed-out': {
    what: 'what is sent to the agent is signed: `egress.sign=require`',
    at: 'signed-out',
    over: 'plain',
  },
  limited: {
    what: 'a pace of the client and one of its tenant',
    at: 'limited',
    over: 'plain',
  },
  budgeted: {
    what: 'one budget that counts the call: reserved, then settled, both synced to disk',
    at: 'budgeted',
    over: 'plain',
  },
  governed: {
    what: 'a read with all of it: signed in and out, 100 grants, both paces, a budget, audit',
    at: 'governed',
    over: 'plain',
  },
  'governed-write': {
    what: 'the same for a write, with its key and its line of the audit',
    at: 'governed',
    over: 'governed',
    capability: WRITE,
    key: 'fresh',
  },
} as const satisfies Record<string, Spec>;

export type CaseName = keyof typeof SPECS;

/** What is asked of whom in a case. */
export interface CaseSpec {
  name: CaseName;
  what: string;
  at: Spec['at'];
  over?: CaseName;
  /** Without origin and signature, which whoever starts the servers knows. */
  job: Omit<Job, 'origin' | 'signer' | 'connections' | 'seconds'>;
}

/** All cases in the order in which they are measured and told. */
export const CASES: readonly CaseSpec[] = (Object.keys(SPECS) as CaseName[]).map(specOf);

/**
 * These cases, the anchor, and whatever the price of each is counted from. Throws for a name that
 * none has. Undefined: all.
 */
export function casesNamed(names: readonly string[] | undefined): readonly CaseSpec[] {
  if (names === undefined) return CASES;
  const wanted = new Set<string>(['proxy']);
  for (const name of names) {
    let one = CASES.find((other) => other.name === name);
    if (one === undefined) {
      const known = CASES.map((other) => other.name).join(', ');
      throw new Error(`There is no case ${name}: there are ${known}.`);
    }
    while (one !== undefined) {
      wanted.add(one.name);
      const over: CaseName | undefined = one.over;
      one = CASES.find((other) => other.name === over);
    }
  }
  return CASES.filter(({ name }) => wanted.has(name));
}

function specOf(name: CaseName): CaseSpec {
  const { what, at, over, capability = READ, key } = SPECS[name] as Spec & { over?: CaseName };
  const headers = { 'content-type': 'application/json' };
  const called = at !== 'agent' && at !== 'proxy';
  const body = called ? { agent_id: CALLER, capability, params: PARAMS } : PARAMS;
  return {
    name,
    what,
    at,
    ...(over === undefined ? {} : { over }),
    job: {
      path: called ? '/v1/calls' : `/abilities/${capability}`,
      body: JSON.stringify(body),
      headers,
      ...(key === undefined ? {} : { key }),
    },
  };
}
