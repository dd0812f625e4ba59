import { HEADERS, parseJson, ReachError } from '@agent-reach/core';
import type { Ids } from '@agent-reach/core/kernel';
import type { AgentAnswer } from './answer.ts';
import type { DoorRequest, Respond } from './door.ts';
import type { Fence } from './fence.ts';
import { type InboundCall, readCall } from './inbound.ts';
import { RETRY_AFTER_MS } from './perform.ts';

/** Whether the agent takes calls. `leaving` still does: routes that were given out lead here. */
export type Standing = 'serving' | 'leaving' | 'refusing';

/** Who answers here, for whoever asks. */
export interface Identity {
  /** The first three are given by the gateway, and absent until it has registered the agent. */
  agent_id?: string;
  instance_id?: string;
  addr_version?: string;
  boot_id: string;
  inflight: number;
  max_concurrency: number;
}

/** Who lives here, as far as the gateway has said. */
export function identityOf(
  given: {
    agentId: string | undefined;
    instanceId: string | undefined;
    addrVersion: string | undefined;
  },
  own: Pick<Identity, 'boot_id' | 'inflight' | 'max_concurrency'>,
): Identity {
  const { agentId, instanceId, addrVersion } = given;
  return {
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(instanceId === undefined ? {} : { instance_id: instanceId }),
    ...(addrVersion === undefined ? {} : { addr_version: addrVersion }),
    ...own,
  };
}

/** What the entrance leads to. */
export interface EntranceOptions {
  standing: () => Standing;
  /** Whether the gateway has fenced this process off. */
  fence: Pick<Fence, 'lets' | 'leftMs'>;
  identity: () => Identity;
  /** For calls to `/execute` that do not say what they want. */
  onlyCapability: () => string | undefined;
  /** Demands that the gateway sent it. Throws `signature-invalid`, `replayed`. */
  verify: (request: DoorRequest) => Promise<void>;
  perform: (call: InboundCall, params: unknown, gone: AbortSignal) => Promise<AgentAnswer>;
  ids: Ids;
}

/** Nesting that no honest call needs; the gateway's own bound. */
const DEPTH_MAX = 64;

/**
 * The paths of an agent: `POST /abilities/{name}`, `POST /abilities/{name}/prepare`, `POST /execute`, and for probes
 * `GET /health`, `/healthz`, `/probe`.
 */
export function entrance(options: EntranceOptions): Respond {
  return async (request) => {
    const { method, path } = request;
    const isLook = method === 'GET' || method === 'HEAD';
    if (isLook && (path === '/health' || path === '/healthz')) return health(options);
    if (isLook && path === '/probe') return look(options, 200);
    const [, ability, prepare] = /^\/abilities\/([^/]+)(\/prepare)?$/.exec(path) ?? [];
    if (method === 'POST' && ability !== undefined) {
      return callAbility(request, { ability, isPreparation: prepare !== undefined }, options);
    }
    if (method === 'POST' && path === '/execute') return execute(request, options);
    const detail = `${method} ${path} leads nowhere; POST /abilities/{name} calls a capability.`;
    throw new ReachError('not-found', detail);
  };
}

/**
 * 503 while leaving, so that whoever balances by health stops before the last answers are given.
 */
function health(options: EntranceOptions): AgentAnswer {
  return look(options, options.standing() === 'serving' ? 200 : 503);
}

function look({ standing, identity }: EntranceOptions, status: number): AgentAnswer {
  const word = standing() === 'serving' ? 'ok' : 'draining';
  const body = JSON.stringify({ status: word, ...identity() });
  return { status, headers: { 'content-type': 'application/json' }, body };
}

async function callAbility(
  request: DoorRequest,
  { ability, isPreparation }: { ability: string; isPreparation: boolean },
  options: EntranceOptions,
): Promise<AgentAnswer> {
  await demandOpen(request, options);
  const call = readCall(request.headers, nameIn(ability), options.ids);
  const params = await readJson(request);
  // Under its key the call's own answer is kept: what is prepared has none.
  const about = { ...call, idempotencyKey: undefined, isPreparation: true } as const;
  return options.perform(isPreparation ? about : call, params, request.gone);
}

interface ExecuteBody {
  task_id?: unknown;
  payload?: unknown;
  capability?: unknown;
  task_type?: unknown;
}

/** Seed C's form: the parameters are in `payload`, and the task's id is the key of its effect. */
async function execute(request: DoorRequest, options: EntranceOptions): Promise<AgentAnswer> {
  await demandOpen(request, options);
  const body = await readJson(request);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ReachError(
      'validation-failed',
      'The body must be an object with task_id and payload.',
    );
  }
  const { task_id: taskId, payload = {}, capability, task_type: taskType } = body as ExecuteBody;
  const said = [
    capability,
    taskType,
    request.headers[HEADERS.capability],
    options.onlyCapability(),
  ];
  const name = said.find((one) => typeof one === 'string');
  if (name === undefined) {
    const errors = [{ pointer: '#/capability', detail: 'is missing' }];
    const detail = 'This agent offers several capabilities: say which one in capability.';
    throw new ReachError('validation-failed', detail, { errors });
  }
  const key = request.headers[HEADERS.idempotencyKey] ?? (typeof taskId === 'string' ? taskId : '');
  const headers = { ...request.headers, [HEADERS.idempotencyKey]: key };
  return options.perform(readCall(headers, name, options.ids), payload, request.gone);
}

/**
 * Refuses before anything runs: a call meant for whoever lived at this address before, one that the
 * gateway did not sign, one that others are to do, and any call once the agent has left. In this order: another agent's key
 * signed what another agent was meant to get.
 */
async function demandOpen(request: DoorRequest, options: EntranceOptions): Promise<void> {
  const { headers } = request;
  const { fence, identity, standing, verify } = options;
  const own = identity();
  demandSame('instance', headers[HEADERS.instance], own.instance_id);
  demandSame('addr_version', headers[HEADERS.addrVersion], own.addr_version);
  await verify(request);
  demandUnfenced(headers[HEADERS.fenceEpoch], fence);
  if (standing() !== 'refusing') return;
  const facts = { retry_after_ms: RETRY_AFTER_MS };
  throw new ReachError('draining', 'This agent is leaving and takes no more calls.', facts);
}

function demandUnfenced(
  named: string | string[] | undefined,
  fence: EntranceOptions['fence'],
): void {
  const epoch = typeof named === 'string' && /^\d{1,15}$/.test(named) ? Number(named) : undefined;
  if (fence.lets(epoch)) return;
  const detail =
    'The gateway has fenced this instance off: its probes are lost. Others do its work.';
  throw new ReachError('fenced', detail, { retry_after_ms: Math.ceil(fence.leftMs) });
}

/** What the agent does not know of itself yet, it holds against nobody. */
function demandSame(what: string, meant: string | string[] | undefined, own?: string): void {
  if (meant === undefined || own === undefined || meant === own) return;
  const detail = `The call is meant for ${what} ${meant.toString()}; here is ${own}.`;
  throw new ReachError('stale-address', detail);
}

function nameIn(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ReachError('not-found', `/abilities/${segment} is not a well-formed path.`);
  }
}

/** A body that is empty stands for no parameters. */
async function readJson(request: DoorRequest): Promise<unknown> {
  const type = request.headers['content-type'];
  const isJson = type !== undefined && /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
  const text = textOf(await request.bytes());
  if (text === '') return {};
  if (!isJson) {
    const detail = `Content type ${type ?? '(none)'} is not read here: send application/json.`;
    throw new ReachError('unsupported-media-type', detail);
  }
  return parseJson(text, { depthMax: DEPTH_MAX });
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ReachError('validation-failed', 'The body is not UTF-8.', {}, error);
  }
}
