export { breathe } from './breathe.ts';
export { InvariantError, invariant } from './assert.ts';
export { type BackoffRule, fullJitterMs } from './backoff.ts';
export {
  isoIn,
  isTimeZone,
  type Period,
  PERIOD_MS,
  periodAt,
  PERIODS,
  periodsAround,
  type Span,
} from './calendar.ts';
export { type Clock, type EpochMs, iso, type MonotonicMs, sleepOn, systemClock } from './clock.ts';
export { Deadline } from './deadline.ts';
export {
  type AddressVerdict,
  type Fetch,
  FetchFailure,
  type FetchFailureKind,
  type FetchRequest,
  type FetchResponse,
} from './fetch.ts';
export { mixedHash, rendezvousDraw } from './hash.ts';
export { hmacSha256 } from './hmac.ts';
export { type IdPrefix, type Ids, idsFrom } from './ids.ts';
export { inOrder, type LoopOptions, loop, type Service } from './lifecycle.ts';
export { type LoopDelay, systemLoopDelay } from './loop-delay.ts';
export { type Log, type LogLevel, logTo, openLog, silentLog } from './log.ts';
export {
  address,
  choice,
  decimal,
  defaultsOf,
  duration,
  flag,
  integer,
  list,
  type Option,
  parseDurationMs,
  port,
  ratio,
  secret,
  text,
  type Values,
} from './options.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export { isSecretName, REDACTED, scrubText } from './scrub.ts';
export { type Listenable, Signal } from './signal.ts';
export { type SteadyPorts, steadyClock } from './steady-clock.ts';
