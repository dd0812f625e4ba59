export {
  AgentView,
  Capability,
  type ContextField,
  Diagnosis,
  DiagnosisStep,
  IdempotencyStrategy,
  InstanceView,
  type JsonSchema,
  Manifest,
  Reachability,
  type Protocol,
} from './protocol/agent.ts';
export {
  BudgetDegrade,
  BudgetRow,
  BudgetScope,
  BudgetsPolicy,
  BudgetView,
} from './protocol/budget.ts';
export {
  Answer,
  CallRequest,
  CandidateView,
  EXPLAIN_STEPS,
  ExplainAnswer,
  ExplainRequest,
  ExplainStep,
  FallbackView,
  Prefer,
  Provider,
  RequestContext,
  RouteAnswer,
  RouteRequest,
  RouteStrategy,
  Timing,
} from './protocol/call.ts';
export {
  CLIENT_KINDS,
  ClientView,
  ClientWithSecret,
  KEY_TYPES,
  KeyType,
  KeyView,
  type Role,
  ROLES,
} from './protocol/client.ts';
export {
  CONFIRMATION_FORMS,
  ConfirmationCode,
  ConfirmationForm,
  ConfirmationId,
  ConfirmationPreview,
  ConfirmationView,
  NeedsConfirmation,
} from './protocol/confirmation.ts';
export { demand, escape, issuesOf, validationFailed } from './protocol/check.ts';
export { Effect, Executed } from './protocol/effects.ts';
export {
  ERRORS,
  type ErrorCode,
  type ErrorFacts,
  type Issue,
  ReachError,
} from './protocol/errors.ts';
export { rateHeaders, type RateTold } from './protocol/rate.ts';
export {
  Confusion,
  Ends,
  Evaluation,
  LocalCalibration,
  MisrouteBudget,
  Rate,
  Threshold,
  Utterance,
  UTTERANCES_MAX,
} from './protocol/evaluation.ts';
export { HEADERS } from './protocol/headers.ts';
export { FindStrategy, MatchStrategy } from './protocol/match-strategy.ts';
export {
  MeaningCandidate,
  MeaningReason,
  MeaningView,
  NamedOnlyBy,
  OwnFitView,
  RouteOption,
  SenseView,
} from './protocol/meaning.ts';
export { OPEN_TENANT } from './protocol/names.ts';
export {
  BALANCE_STRATEGIES,
  BalanceRow,
  BalanceStrategy,
  BalanceView,
  CalibrationPolicy,
  ConfirmationRule,
  ConfirmationsPolicy,
  EXAMPLES_MAX,
  ExamplesPolicy,
  GrantRow,
  GrantsPolicy,
  OwnersPolicy,
  PinsPolicy,
  PinView,
  POLICY_DOCS,
  type PolicyDoc,
  type PolicyName,
  PolicyView,
  REFUSALS_MAX,
  SHIFT,
  Shares,
  SLOPE,
  TaughtExample,
  TaughtRefusal,
  WeightParts,
  WeightsPolicy,
} from './protocol/policy.ts';
export { fromProblem, PROBLEM_TYPE, type Problem, toProblem } from './protocol/problem.ts';
export {
  INTENT_OWNERS,
  INTENTS,
  type Intent,
  type IntentOwner,
  OBSERVED,
  OBSERVED_MOVES,
  type Observed,
  type ObservedCause,
} from './protocol/states.ts';
export {
  AttemptRecord,
  AuditFault,
  AuditLinkView,
  AuditRecord,
  AuditReport,
  AuditSeal,
  TraceRecord,
} from './protocol/trace.ts';
export * from './protocol/audit-chain.ts';
export { ChainCheck, type ChainCheckOptions } from './protocol/audit-check.ts';
export {
  AgentChange,
  AgentEvent,
  AgentRow,
  AgentSnapshot,
  AgentState,
  rowName,
  rowsHash,
} from './protocol/change.ts';
export {
  type ByeReason,
  byeText,
  EventReader,
  eventText,
  failureText,
  type Received,
  type StreamEvent,
  type TextStream,
} from './protocol/stream.ts';
export { RouteDecision, WatchEvent } from './protocol/watch.ts';
export {
  type Answered,
  type Asker,
  type ClientStanding,
  type Handler,
  type Handlers,
  type HandlersOf,
  type Input,
  OPERATIONS,
  type OperationName,
  type Output,
  type StreamName,
  type UnaryName,
} from './protocol/operations.ts';
export { type Auth, COMMON_ERRORS, type Operation } from './protocol/operations/operation.ts';
export { canonicalize } from './protocol/jcs.ts';
export { type JsonLimits, parseJson } from './protocol/json.ts';
export {
  formatTraceparent,
  legacyTraceId,
  parseTraceparent,
  type TraceParent,
} from './protocol/trace-context.ts';
export { openapi } from './protocol/openapi.ts';
export { ManifestFormA, ManifestFormC, ManifestFormD } from './protocol/manifest-forms.ts';
export {
  isTaskEnd,
  isTaskLeased,
  moveTask,
  TASK_CAUSES,
  TASK_ENDS,
  TASK_LEASED,
  TASK_MOVES,
  TASK_STATES,
  type TaskCause,
  type TaskState,
} from './protocol/task-states.ts';
export {
  Delivery,
  HolderAnswer,
  TaskId,
  LeaseState,
  TaskRequest,
  TaskTicket,
  TaskView,
  TaskWhy,
} from './protocol/task.ts';
export {
  nonceName,
  type NonceVerdict,
  OwnNonces,
  type Used,
} from './protocol/signature/nonces.ts';
export {
  type Direction,
  NONCE_TTL_MS,
  PROFILE,
  SIGNATURE_HEADERS,
} from './protocol/signature/profile.ts';
export { normalAuthority, type SignedMessage } from './protocol/signature/message.ts';
export {
  readSecret,
  SECRET_PREFIX,
  TOKEN_PREFIX,
  writeSecret,
} from './protocol/signature/secret.ts';
export { sign, type SigningKey } from './protocol/signature/sign.ts';
export {
  demandTrue,
  isSigned,
  present,
  type Presented,
  type VerifierFacts,
} from './protocol/signature/verify.ts';
