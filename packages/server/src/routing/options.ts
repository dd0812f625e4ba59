import { BALANCE_STRATEGIES } from '@agent-reach/core';
import {
  choice,
  decimal,
  duration,
  flag,
  integer,
  list,
  ratio,
  text,
} from '@agent-reach/core/kernel';

import { BUDGETS } from './meaning/calibrator.ts';

/** Settings of routing. */
export const ROUTING_OPTIONS = {
  relax: list({
    key: 'routing.relax',
    default: ['region'],
    doc: 'Tags that may be given up, in this order, when nobody has them all; the answer warns of each. `capability` is never given up. Empty: never relax. Relaxing answers more requests from further away.',
  }),
  semanticMode: choice({
    key: 'routing.semantic.mode',
    words: ['calibrated', 'cosine', 'off'],
    default: 'calibrated',
    doc: 'Whether an `intent` is read where no name decides. `calibrated`: routed where the probability of a wrong route stays within `routing.semantic.budget`, else asked about, else refused. `cosine`: what only reads is routed where the bare cosine of its vector is `routing.semantic.threshold` or more, and nothing below; a cosine is no probability, and needs an embedder (`routing.embedder.kind`). `off`: names and tags alone.',
  }),
  semanticThreshold: decimal({
    key: 'routing.semantic.threshold',
    default: 0.72,
    min: 0,
    max: 1,
    doc: 'From which cosine on an intent is routed where `routing.semantic.mode` is `cosine`. 0.72 suits paraphrase-multilingual-MiniLM-L12-v2 about; other models put all texts above it, or none: measure with your own questions. Lower routes more, and more of it wrong.',
  }),
  semanticCalibration: text({
    key: 'routing.semantic.calibration',
    default: '',
    doc: 'File with a calibration that was fitted for the embedder that is set (`bench/routing/fit.ts`): probabilities are then those of words and vectors together, and vectors may make a route. One that was fitted for another embedder is not used, with a warning. Empty: the one that ships, which knows words alone.',
  }),
  semanticBudget: choice({
    key: 'routing.semantic.budget',
    words: BUDGETS,
    default: '1',
    doc: 'How many of 100 intents may be routed wrong. What is not declared `effect: read` is held to 0.1 whatever this says. More lets fewer be asked about.',
  }),
  semanticLearn: flag({
    key: 'routing.semantic.learn',
    default: true,
    doc: 'Whether answers to questions (`routes.choose`) become examples. One counts once two callers have given it alike, or an operator says so.',
  }),
  relaxPastDanger: flag({
    key: 'routing.relax.past-danger',
    default: false,
    doc: 'Gives up the tags of `routing.relax` for a task also when the queues of all who have them are past `flowcontrol.watermark.danger`. Work then leaves its region under load, and not only when nobody is there.',
  }),
  strategy: choice({
    key: 'router.strategy',
    words: BALANCE_STRATEGIES,
    default: 'least-pending',
    doc: 'How one of several is chosen; the weights document may say otherwise for a capability. `least-pending`: of two drawn by weight the one with less to do for its weight; tasks of one source stay with one agent. `weighted-round-robin`: in turn, by weight; evenest where all runs are alike, blind to a slow one. `consistent-hash`: the same source goes to the same instance, for those that keep state; a busy source is not spread, and work without a source goes by least pending.',
  }),
  vnodes: integer({
    key: 'router.consistent-hash.vnodes',
    default: 100,
    min: 1,
    max: 1_000,
    doc: 'Places on the ring for an agent of weight 1. The busiest of fifty agents has about 1.2 times the mean with 100, 1.1 with 400; more places make a slower change of the ring.',
  }),
  decisionTtlMs: duration({
    key: 'route.cache.ttl',
    default: 30_000,
    min: 1_000,
    max: 600_000,
    doc: 'How long callers that go direct may use a decision again (`ttl_ms`). To an instance whose score stays above 0.9 half as long again, to one below 0.7 a sixth. Longer asks less, and goes longer to who was taken out: only a changed address is refused by the agent itself.',
  }),
  ringHoldMs: duration({
    key: 'router.consistent-hash.hold',
    default: 30_000,
    min: 0,
    max: 3_600_000,
    doc: 'How long an agent that vanished keeps its place: tasks of its sources wait for it, and those that must run at one instance are given to no other. Longer survives a slow restart, and lets work wait that long for one that is dead.',
  }),
  panic: ratio({
    key: 'routing.panic',
    default: 0.3,
    doc: 'When fewer than this part of at least three instances of a capability can be reached, reads and idempotent writes are spread over those in doubt as well, and plain writes are refused with 503. Higher trusts its own sight less: more calls go to who is away. `off`: the few that are left get everything.',
  }),
  imbalanceRatio: integer({
    key: 'router.imbalance.ratio',
    default: 3,
    min: 2,
    max: 100,
    doc: 'How many times as many tasks as the others, each for its weight, must wait for one candidate of a capability for the alarm. Lower warns of what evens out by itself.',
  }),
  imbalanceAfterMs: duration({
    key: 'router.imbalance.after',
    default: 60_000,
    min: 1_000,
    max: 3_600_000,
    doc: 'How long that must last before it is told, once; it is over when it has been well below as long.',
  }),
  imbalanceMin: integer({
    key: 'router.imbalance.min',
    default: 20,
    min: 2,
    max: 100_000,
    doc: 'Fewer waiting tasks are no imbalance: of two tasks one agent easily has both. Higher is told later.',
  }),
} as const;
