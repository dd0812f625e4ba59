import type { ConfirmationForm, ConfirmationPreview } from '@agent-reach/core';
import type { Confirmation } from '../../storage/spi/confirmations.ts';

/** What is kept of a confirmation for those who look at it, as JSON in its row. */
export interface About {
  by: ConfirmationForm;
  preview: ConfirmationPreview;
  /** Who began the chain of calls in which it was asked for. */
  root: string;
  approvers?: readonly string[];
}

/** Who decided, and why, as JSON in the row. */
export interface Decided {
  by: string;
  reason?: string;
}

export function readAbout({ about }: Pick<Confirmation, 'about'>): About {
  return JSON.parse(about) as About;
}

export function readDecision({ decision }: Confirmation): Decided | undefined {
  return decision === undefined ? undefined : (JSON.parse(decision) as Decided);
}
