import type {
  BudgetsPolicy,
  CalibrationPolicy,
  ConfirmationsPolicy,
  ExamplesPolicy,
  GrantsPolicy,
  OwnersPolicy,
  PinsPolicy,
  WeightsPolicy,
} from '@agent-reach/core';
import type { BudgetBook } from '../policy/budgets/book.ts';
import { checkBudgets } from '../policy/budgets/check-budgets.ts';
import { lintGrants } from '../policy/check-grants.ts';
import type { ClientBook } from '../policy/clients/book.ts';
import type { ConfirmationBook } from '../policy/confirmations/book.ts';
import { lintConfirmations } from '../policy/confirmations/check-rules.ts';
import type { GrantBook } from '../policy/grants.ts';
import type { OwnerBook } from '../policy/owners.ts';
import type { Directory } from '../registry/directory.ts';
import { checkCalibration } from '../routing/check-calibration.ts';
import { checkExamples } from '../routing/check-examples.ts';
import { checkPins } from '../routing/check-pins.ts';
import { checkWeights } from '../routing/check-weights.ts';
import type { PolicyKind, PolicyKinds } from '../routing/policies.ts';
import type { FitBook } from '../routing/fit-book.ts';
import type { Calibration } from '../routing/meaning/calibrator.ts';
import type { LearnedBook } from '../routing/learned-book.ts';
import type { PinBook } from '../routing/pin-book.ts';
import type { WeightBook } from '../routing/weight-book.ts';

/** The documents that operators write, each with whoever judges it and decides by it. */
export function policyKinds(by: {
  weights: WeightBook;
  grants: GrantBook;
  budgets: BudgetBook;
  confirmations: ConfirmationBook;
  owners: OwnerBook;
  learned: LearnedBook;
  pins: PinBook;
  fits: FitBook;
  /** The calibration in use, which may change when an embedder is ready. */
  calibration: () => Calibration;
  directory: Directory;
  clients: ClientBook;
  isAuthRequired: boolean;
}): PolicyKinds {
  const weights: PolicyKind<WeightsPolicy> = {
    book: by.weights,
    check: (doc, tenant) => checkWeights(doc, tenant, by.directory),
  };
  const namesOf = (tenant: string) => {
    const offers = [...by.directory.allOffers(tenant)];
    return {
      clients: by.clients.list(tenant).map(({ clientId }) => clientId),
      capabilities: [...new Set(offers.map(({ capability }) => capability.name))],
    };
  };
  const grants: PolicyKind<GrantsPolicy> = {
    book: by.grants,
    check: (doc, tenant) => {
      const warnings = lintGrants(doc, namesOf(tenant));
      return { faults: [], warnings: by.isAuthRequired ? warnings : [IDLE, ...warnings] };
    },
  };
  const budgets: PolicyKind<BudgetsPolicy> = {
    book: by.budgets,
    check: (doc, tenant) => {
      const { clients, capabilities } = namesOf(tenant);
      // Where nobody is asked, callers go by names that nobody knows beforehand.
      const agents = by.isAuthRequired ? [...clients, ...agentsIn(tenant, by)] : undefined;
      return checkBudgets(doc, { agents, capabilities });
    },
  };
  const confirmations: PolicyKind<ConfirmationsPolicy> = {
    book: by.confirmations,
    check: (doc, tenant) => {
      const warnings = lintConfirmations(doc, namesOf(tenant));
      const isByPeople = doc.rules?.some((rule) => rule.by === 'human') === true;
      const loose = !by.isAuthRequired && isByPeople ? [BY_NOBODY] : [];
      return { faults: [], warnings: [...loose, ...warnings] };
    },
  };
  const owners: PolicyKind<OwnersPolicy> = {
    book: by.owners,
    check: () => ({ faults: [], warnings: by.isAuthRequired ? [] : [NO_OWNERS] }),
  };
  const examples: PolicyKind<ExamplesPolicy> = {
    book: by.learned,
    check: (doc, tenant) => checkExamples(doc, tenant, by.directory),
  };
  const pins: PolicyKind<PinsPolicy> = {
    book: by.pins,
    check: (doc, tenant) => checkPins(doc, tenant, by.directory),
  };
  const calibration: PolicyKind<CalibrationPolicy> = {
    book: by.fits,
    check: (doc) => checkCalibration(doc, by.calibration()),
  };
  return { weights, grants, budgets, confirmations, owners, examples, pins, calibration };
}

function agentsIn(tenant: string, { clients }: { clients: ClientBook }): string[] {
  return clients
    .list(tenant)
    .flatMap(({ doc: { agentId } }) => (agentId === undefined ? [] : [agentId]));
}

const BY_NOBODY =
  'Before auth.mode is required nobody shows who he is: whoever reaches the port may approve.';
const IDLE = 'Nobody is held to grants before auth.mode is required: until then all may do all.';
const NO_OWNERS =
  'Nobody owns a name before auth.mode is required: until then everybody may offer everything.';
