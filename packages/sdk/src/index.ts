export { type Ability, reachAbility } from './ability.ts';
export { Agent } from './agent.ts';
export type { AgentsGroup, AgentsUpdate, AgentsWatchFilter } from './agents-watch.ts';
export type { AgentOptions } from './agent-options.ts';
export type { CapabilitySpec, Context, Handler, Prepare, Prepared } from './capability.ts';
export { type AskingAnswer, type ConfirmOptions, needsConfirmation } from './confirm.ts';
export { type Credentials, credentialsIn } from './credentials.ts';
export { type Degrade, type DegradeText, degradeOf } from './degrade.ts';
export type { Group, InvokeOptions, Noun } from './groups.ts';
export type { ManifestHead } from './manifest.ts';
export type { Ports } from './ports.ts';
export { Reach, type ReachOptions } from './reach.ts';
export { ReachClient, type ReachClientOptions } from './reach-client.ts';
export { Rejection } from './rejection.ts';
export type { HandleOptions, Task, TaskContext, TaskHandler } from './task-handler.ts';
export {
  hasEnded,
  type Submission,
  type SubmitOptions,
  type TaskFilter,
  type TaskMove,
  type Tasks,
  type WaitOptions,
} from './tasks.ts';
export type { CallOptions, RouteOptions, Selector } from './selector.ts';
export type { StreamOptions } from './streams.ts';
export { TryLater } from './try-later.ts';

// What the methods take, give and throw, so that users of the SDK import the SDK alone.
export {
  type AgentChange,
  type AgentRow,
  type AgentView,
  type Answer,
  type CallRequest,
  type ConfirmationView,
  type Effect,
  type ErrorCode,
  type ErrorFacts,
  type Executed,
  type Input,
  type NeedsConfirmation,
  type OperationName,
  type Output,
  ReachError,
  type RouteAnswer,
  type RouteDecision,
  type RouteRequest,
  type TaskRequest,
  type TaskState,
  type TaskTicket,
  type TaskView,
  type TaskWhy,
  type TraceRecord,
} from '@agent-reach/core';
export { Deadline, type Log, type LogLevel, openLog, silentLog } from '@agent-reach/core/kernel';
