import {
  type Asker,
  type HandlersOf,
  type Input,
  issuesOf,
  OPEN_TENANT,
  type Output,
  POLICY_DOCS,
  type PolicyDoc,
  type PolicyName,
  type PolicyView,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { type Clock, inOrder, iso, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { Change } from '../peers/changes.ts';
import type { Peers } from '../peers/peers.ts';
import type { Now } from '../storage/spi/now.ts';
import type { RuleRow, RulesStore } from '../storage/spi/rules.ts';
import type { Verdict } from './check-weights.ts';

/** One kind of document, and those who decide by it. */
export interface PolicyKind<Doc> {
  /** What is wrong with a document of the right form, and what may be. */
  check(doc: Doc, tenant: string): Verdict;
  /** The copy in memory by which decisions are made. */
  book: {
    take(tenant: string, version: number, doc: Doc): void;
    versionOf(tenant: string): number;
  };
}

/** Every kind by its name; each is given documents of its own form alone. */
export type PolicyKinds = Readonly<Record<PolicyName, PolicyKind<PolicyDoc>>>;

/** What the documents of operators need. */
export interface PolicyDocPorts {
  rules: RulesStore;
  kinds: PolicyKinds;
  /** Those whose documents count here. */
  tenants: () => Iterable<string>;
  peers: Peers;
  clock: Clock;
  now: () => Now;
  log: Log;
}

type Written = Output<'policies.put'>;

/** Several who write without saying what they saw settle after a few rounds. */
const ROUNDS_MAX = 8;
/** How soon a gateway sees what another one wrote if it did not hear of it. */
const REREAD_MS = 5_000;
const HISTORY_MAX = 100;
const HISTORY_SHOWN = 20;
const NAMES = Object.keys(POLICY_DOCS) as PolicyName[];

/** What the documents of operators answer. */
export function policyHandlers(ports: PolicyDocPorts): HandlersOf<'policies'> {
  return {
    'policies.get': async ({ policy }, { tenant }) =>
      viewOf(policy, await ports.rules.get({ tenant, name: policy })),
    'policies.put': (input, asker) => putPolicy(input, asker, ports),
    'policies.rollback': (input, asker) => rollback(input, asker, ports),
    'policies.history': async ({ policy, limit }, { tenant }) => {
      const query = { tenant, name: policy, limit: limit ?? HISTORY_SHOWN };
      const rows = await ports.rules.history(query);
      return { versions: rows.map((row) => viewOf(policy, row)) };
    },
  };
}

/**
 * Keeps the copies by which decisions are made: read before the doors open, when another gateway says
 * that it wrote, and now and then for what was not heard.
 */
export function policyService(ports: PolicyDocPorts): Service {
  let listening: Disposable | undefined;
  const failed = (error: unknown) =>
    ports.log.error({ err: error }, 'the documents of operators could not be read');
  const hear = (change: Change) => {
    const policy = NAMES.find((name) => change.kind === 'rule' && name === change.name);
    if (policy !== undefined) rereadOf(policy, change.tenant, ports).catch(failed);
  };
  return inOrder([
    {
      async start() {
        listening = ports.peers.heard.on(hear);
        await reread(ports);
      },
      stop: async () => listening?.[Symbol.dispose](),
    },
    loop({
      clock: ports.clock,
      pauseMs: () => REREAD_MS,
      round: () => reread(ports),
      onError: failed,
    }),
  ]);
}

async function reread(ports: PolicyDocPorts): Promise<void> {
  const tenants = new Set([OPEN_TENANT, ...ports.tenants()]);
  for (const tenant of tenants) {
    for (const policy of NAMES) await rereadOf(policy, tenant, ports);
  }
}

async function rereadOf(
  policy: PolicyName,
  tenant: string,
  { rules, kinds }: PolicyDocPorts,
): Promise<void> {
  const { book } = kinds[policy];
  const row = await rules.get({ tenant, name: policy });
  if (row !== undefined && row.version > book.versionOf(tenant)) {
    book.take(tenant, row.version, docIn(row));
  }
}

/** Writes a document anew, or says what would become of it. */
export async function putPolicy(
  { policy, doc, expect_version: expected, dry_run: isDry }: Input<'policies.put'>,
  asker: Asker,
  ports: PolicyDocPorts,
): Promise<Written> {
  const warnings = demandSound(policy, doc, asker.tenant, ports);
  const before = await ports.rules.get({ tenant: asker.tenant, name: policy });
  demandVersion(policy, before, expected);
  if (isDry === true) return { ...viewOf(policy, before), doc, warnings, dry_run: true };
  const row = await store({ policy, doc, expected }, before, asker, ports);
  return { ...viewOf(policy, row), warnings, dry_run: false };
}

/**
 * Changes a document as it stands, whoever else does too: what `change` makes of it is stored, or
 * nothing is if that is undefined. Throws `overloaded` when others are always quicker.
 */
export async function amend<Doc extends PolicyDoc>(
  policy: PolicyName,
  change: (doc: Doc) => Doc | undefined,
  asker: Pick<Asker, 'tenant' | 'principal'>,
  ports: PolicyDocPorts,
): Promise<boolean> {
  const { tenant } = asker;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const present = await ports.rules.get({ tenant, name: policy });
    const doc = change((present === undefined ? {} : docIn(present)) as Doc);
    if (doc === undefined) return false;
    const expected = present?.version ?? 0;
    try {
      await store({ policy, doc, expected }, present, asker, ports);
      return true;
    } catch (thrown) {
      if (!ReachError.is(thrown) || thrown.code !== 'policy-conflict') throw thrown;
    }
  }
  throw tooMany(policy);
}

async function rollback(
  { policy, to, expect_version: expected }: Input<'policies.rollback'>,
  asker: Asker,
  ports: PolicyDocPorts,
): Promise<Written> {
  const { tenant } = asker;
  const versions = await ports.rules.history({ tenant, name: policy, limit: HISTORY_MAX });
  const [present, previous] = versions;
  if (present === undefined) {
    throw new ReachError('policy-conflict', `No version of ${policy} was ever written.`);
  }
  demandVersion(policy, present, expected);
  const goal = to ?? previous?.version ?? 0;
  const row = versions.find(({ version }) => version === goal);
  if (goal !== 0 && row === undefined) {
    const oldest = versions.at(-1)?.version;
    const detail = `Version ${goal} of ${policy} is not kept; there are ${oldest} to ${present.version}.`;
    throw new ReachError('not-found', detail);
  }
  const doc = row === undefined ? {} : docIn(row);
  // Only what was seen is undone: if somebody wrote meanwhile, that is told and not undone.
  const move = { policy, doc, expected: present.version };
  // It was taken once; what is asked of a document now may be more than then.
  const warnings = demandSound(policy, doc, tenant, ports);
  return {
    ...viewOf(policy, await store(move, present, asker, ports)),
    warnings,
    dry_run: false,
  };
}

/** Stores the next version, and puts it in force here. */
async function store(
  move: { policy: PolicyName; doc: PolicyDoc; expected: number | undefined },
  before: RuleRow | undefined,
  { tenant, principal }: Pick<Asker, 'tenant' | 'principal'>,
  ports: PolicyDocPorts,
): Promise<RuleRow> {
  const { policy, doc, expected } = move;
  let present = before;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { outcome, row } = await ports.rules.put({
      tenant,
      name: policy,
      doc: JSON.stringify(doc),
      by: principal,
      expectVersion: present?.version ?? 0,
      now: ports.now(),
    });
    if (outcome === 'stored') {
      ports.kinds[policy].book.take(tenant, row.version, doc);
      ports.peers.tell({ kind: 'rule', tenant, name: policy });
      ports.log.info({ tenant, policy, version: row.version, by: principal }, 'a document changed');
      return row;
    }
    demandVersion(policy, row, expected);
    present = row;
  }
  throw tooMany(policy);
}

function tooMany(policy: PolicyName): ReachError {
  return new ReachError('overloaded', `${policy} is written by too many at once.`, {
    retry_after_ms: 1_000,
  });
}

/** What may be wrong with a document that is to come into force. Throws for what is. */
function demandSound(
  policy: PolicyName,
  doc: PolicyDoc,
  tenant: string,
  { kinds }: PolicyDocPorts,
): string[] {
  demandForm(policy, doc);
  const { faults, warnings } = kinds[policy].check(doc, tenant);
  const [first] = faults;
  if (first === undefined) return warnings;
  const detail = `The document is not taken: ${first.pointer} ${first.detail}.`;
  throw new ReachError('rule-refused', detail, { errors: faults });
}

/** The door knows that there is a document, and only here which of the forms it must have. */
function demandForm(policy: PolicyName, doc: PolicyDoc): void {
  const issues = issuesOf(POLICY_DOCS[policy], doc);
  if (issues.length === 0) return;
  const inDoc = issues.map((one) => ({ ...one, pointer: `#/doc${one.pointer.slice(1)}` }));
  throw validationFailed('The request', inDoc);
}

function demandVersion(
  policy: string,
  present: RuleRow | undefined,
  expected: number | undefined,
): void {
  const version = present?.version ?? 0;
  if (expected === undefined || expected === version) return;
  throw new ReachError(
    'policy-conflict',
    `${policy} is at version ${version}, not ${expected}: read it again, and change what is there.`,
    { present_version: version },
  );
}

function viewOf(policy: PolicyName, row: RuleRow | undefined): PolicyView {
  if (row === undefined) return { policy, version: 0, doc: {} };
  return { policy, version: row.version, doc: docIn(row), by: row.by, at: iso(row.at) };
}

function docIn({ doc }: RuleRow): PolicyDoc {
  return JSON.parse(doc) as PolicyDoc;
}
