import type { ConfirmationForm, ConfirmationsPolicy, Effect } from '@agent-reach/core';
import { matches } from '../grants.ts';
import { TenantDocs } from '../../storage/spi/tenant-docs.ts';

/** What of an offer decides whether it is confirmed. */
export interface OfferedFacts {
  capability: string;
  /** Undefined: nobody offers it yet. */
  agentId: string | undefined;
  effect: Effect | undefined;
  isSensitive: boolean;
}

/** That somebody must say yes, who, and how long that holds. */
export interface Demand {
  by: ConfirmationForm;
  ttlMs: number;
  /** Clients and `role:…`; undefined: every operator. */
  approvers: readonly string[] | undefined;
  /** Of the document by which it was demanded. */
  policyVersion: number;
}

/** Long enough to look, short enough that what was shown still is what would happen. */
const TTL_MS = 300_000;

/**
 * What is confirmed, as binding looks at it: a copy of the stored documents, one a tenant. The first
 * rule that matches decides; what none matches is confirmed where its manifest calls it sensitive.
 */
export class ConfirmationBook extends TenantDocs<ConfirmationsPolicy> {
  readonly #sensitiveBy: ConfirmationForm;

  /** @param sensitiveBy Who confirms what is sensitive where no rule speaks of it. */
  constructor(sensitiveBy: ConfirmationForm) {
    super();
    this.#sensitiveBy = sensitiveBy;
  }

  /** What is demanded before this is done; undefined: nothing. */
  demandOn(tenant: string, offered: OfferedFacts): Demand | undefined {
    const policyVersion = this.versionOf(tenant);
    const rule = this.known(tenant)?.rules?.find(({ match }) => isMeant(match, offered));
    if (rule === undefined) {
      return offered.isSensitive
        ? { by: this.#sensitiveBy, ttlMs: TTL_MS, approvers: undefined, policyVersion }
        : undefined;
    }
    if (rule.by === 'none') return undefined;
    const { by, ttl_ms: ttlMs = TTL_MS, approvers } = rule;
    return { by, ttlMs, approvers, policyVersion };
  }

  protected override read(doc: ConfirmationsPolicy): ConfirmationsPolicy {
    return doc;
  }
}

type Match = NonNullable<ConfirmationsPolicy['rules']>[number]['match'];

function isMeant({ capability, effect, agent }: Match, offered: OfferedFacts): boolean {
  return (
    matches(capability, offered.capability) &&
    (effect === undefined || effect === offered.effect) &&
    (agent === undefined || (offered.agentId !== undefined && matches(agent, offered.agentId)))
  );
}
