import type {
  Answer,
  CallRequest,
  CandidateView,
  FallbackView,
  RouteAnswer,
} from '@agent-reach/core';
import type { CallOptions } from '@agent-reach/sdk';
import { EXIT, UsageError } from '../failure.ts';
import { showNeeds } from './confirmations.ts';
import { readNames, readParams, readSpanMs, readTags } from '../input.ts';
import { byWord } from '../render/looks.ts';
import { ago, millis, readMoment, span } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { json } from '../render/plain.ts';
import { scoreFormula } from '../render/score.ts';
import { type Column, facts, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { meaningParts } from './meaning.ts';

/**
 * Longer than any limit that a gateway may have (60 s): who looks from a terminal wants the
 * gateway's verdict, which knows what ran, rather than his own impatience.
 */
const PATIENCE_MS = 61_000;

/** `reach call`: the result goes to standard output, who gave it and how fast to standard error. */
export async function call(use: Use, session: Session): Promise<number> {
  const { selector, params, options } = await requestOf(use, session);
  const idempotencyKey = use.text('key');
  const confirmationCode = use.text('confirmation');
  const answer = await session.withReach((reach) =>
    reach.call(selector, params, { ...options, idempotencyKey, confirmationCode }),
  );
  if (answer.confirmation !== undefined) {
    const { confirmation, request_id: id } = answer;
    // Without a key the request's own id is the key of a write: the same again is the same request.
    const again = `the same command with --key ${idempotencyKey ?? id}`;
    session.answer(answer, (page) => showNeeds(confirmation, again, page));
    session.warn(answer.warnings);
    return EXIT.failed;
  }
  if (answer.degrade !== undefined) {
    const { degrade } = answer;
    session.answer(answer, () => '');
    session.note(`reach: ${degrade.code}: ${degrade.text}`);
    session.note(`Budget ${degrade.budget} has more in ${span(degrade.retry_after_ms)}.`);
    return EXIT.failed;
  }
  const { isTerminal } = session.world.out;
  session.answer(answer, () => `${json(answer.result, isTerminal)}\n`);
  if (session.isJson) return EXIT.ok;
  session.warn(answer.warnings);
  session.world.err.write(summaryOf(answer, session));
  return EXIT.ok;
}

/** `reach route`: fails when there is nobody to go to. */
export async function route(use: Use, session: Session): Promise<number> {
  const { selector, params, options } = await requestOf(use, session);
  const answer = await session.withReach((reach) => reach.route(selector, params, options));
  session.answer(answer, (page) => showRoute(answer, session, page));
  session.warn(answer.warnings);
  return answer.outcome === 'route' ? EXIT.ok : EXIT.failed;
}

interface Request {
  selector: CallRequest;
  params: unknown;
  options: CallOptions;
}

/** What the command line asks for. */
export async function requestOf(use: Use, session: Session): Promise<Request> {
  const selects = use.text('intent') !== undefined || use.many('tag').length > 0;
  let [capability, text] = [use.operand(0), use.operand(1)];
  // With an intent or tags the name may be left out, and the params come first.
  if (selects && capability !== undefined && text === undefined && /^([{@[]|-$)/.test(capability)) {
    [capability, text] = [undefined, capability];
  }
  if (capability === undefined && !selects) {
    throw new UsageError('Say what to reach: a capability, --intent or --tag.');
  }
  // The gateway holds the words to its own table and says what is allowed.
  const strategy = use.text('strategy') as CallRequest['strategy'];
  const selector: CallRequest = given({
    capability,
    intent: use.text('intent'),
    tags: readTags(use.many('tag')),
    strict_tags: use.on('strictTags') || undefined,
    strategy,
    agent: use.text('agent'),
  });
  return {
    selector,
    params: await readParams(text, use.many('param'), session.world),
    options: {
      timeoutMs: readSpanMs(use.text('timeout'), '--timeout') ?? PATIENCE_MS,
      explain: use.on('explain') || undefined,
      traceId: use.text('traceId'),
      fallback: readNames(use.text('fallback')),
    },
  };
}

function summaryOf(answer: Answer, session: Session): string {
  const { provider, route, timing, trace_id: trace } = answer;
  const page = session.notePage;
  const words = [
    `${provider.agent}/${provider.instance}`,
    route.strategy,
    `${millis(timing.total_ms)} ms (agent ${millis(timing.agent_ms)})`,
    ...(answer.status === 'ok' ? [] : [answer.status]),
    ...(answer.degraded_to === undefined ? [] : [`by ${answer.degraded_to}`]),
    ...(answer.retry_count > 0 ? [`${answer.retry_count} retried`] : []),
    ...(answer.replayed ? ['replayed'] : []),
    `trace ${trace}`,
  ];
  const line = `${page.paint('dim', words.join(' · '))}\n`;
  const { candidates } = route;
  return candidates === undefined
    ? line
    : line + table(candidates, candidateColumns(session), page);
}

function showRoute(answer: RouteAnswer, session: Session, page: Page): string {
  const head = facts(
    [
      ['outcome', answer.outcome, answer.outcome === 'route' ? 'green' : 'yellow'],
      ['reason', answer.reason],
      ['agent', answer.target_agent],
      ['instance', answer.instance_id],
      ['capability', answer.capability],
      ['missing', answer.missing?.join(', ')],
      ['effect', answer.effect],
      ['budgets', answer.budgets?.join(', ')],
      ['address', answer.address],
      ['path', answer.path],
      ['strategy', answer.strategy],
      ['score', answer.score],
      ['pin', pinOf(answer)],
      ['valid', answer.ttl_ms === undefined ? undefined : `${answer.ttl_ms / 1_000} s`],
      ['route', answer.route_id],
      ['trace', answer.trace_id],
    ],
    page,
  );
  const { candidates = [], fallbacks = [] } = answer;
  return [
    head,
    ...meaningParts(answer, page),
    ...(candidates.length === 0 ? [] : [table(candidates, candidateColumns(session), page)]),
    ...(fallbacks.length === 0 ? [] : [table(fallbacks, FALLBACK_COLUMNS, page)]),
  ].join('\n');
}

function pinOf({ pin }: RouteAnswer): string | undefined {
  if (pin === undefined) return undefined;
  const { phrase, capability, agents, version } = pin;
  const what = phrase === undefined ? capability : `“${phrase}”`;
  const where = agents === undefined ? '' : `, at ${agents.join(', ')} alone`;
  return `${what} (version ${version})${where}`;
}

const FALLBACK_COLUMNS: Column<FallbackView>[] = [
  { title: 'FALLBACK', of: (row) => row.capability },
  { title: 'FROM', of: (row) => row.from },
  { title: 'VERDICT', of: (row) => row.verdict, paint: byWord },
  { title: 'WHY', of: (row) => row.reason, flexible: true },
];

/** Candidates as rows. */
export function candidateColumns(session: Session): Column<CandidateView>[] {
  return [
    { title: 'CANDIDATE', of: (row) => [row.agent, row.instance].filter(Boolean).join('/') },
    { title: 'VERDICT', of: (row) => row.verdict, paint: byWord },
    { title: 'OBSERVED', of: (row) => row.observed ?? '', paint: byWord },
    { title: 'INTENT', of: (row) => row.intent ?? '', paint: byWord },
    { title: 'SEEN', of: (row) => seen(row.last_seen, session) },
    { title: 'CAPABILITY', of: (row) => row.capability, flexible: true },
    { title: 'WHY', of: (row) => row.reason, flexible: true },
    { title: 'WEIGHT', of: (row) => row.weight, align: 'right' },
    { title: 'SCORE', of: (row) => row.reachability?.score, align: 'right' },
    { title: 'SCORE OF', of: formulaOf, flexible: true },
  ];
}

function formulaOf({ reachability }: CandidateView): string {
  return reachability === undefined ? '' : scoreFormula(reachability);
}

function seen(moment: string | undefined, session: Session): string {
  const at = moment === undefined ? undefined : readMoment(moment);
  return at === undefined ? '' : ago(at, session.clock.now());
}
