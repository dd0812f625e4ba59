import type { CalibrationPolicy } from '@agent-reach/core';
import type { OwnFit } from './meaning/own-fit.ts';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';

type Fitted = Omit<OwnFit, 'version'> | undefined;

/** What labels of their own make of the probability: a copy of the documents, one a tenant. */
export class FitBook extends TenantDocs<CalibrationPolicy, { fit: Fitted }> {
  /** Undefined: what ships decides. */
  of(tenant: string): OwnFit | undefined {
    const fit = this.known(tenant)?.fit;
    return fit === undefined ? undefined : { ...fit, version: this.versionOf(tenant) };
  }

  protected override read(doc: CalibrationPolicy): { fit: Fitted } {
    return { fit: fitIn(doc) };
  }
}

/** The fit that a document holds; undefined: it is empty, or says only half of one. */
function fitIn({ fingerprint, labels, slope, shift, route_from }: CalibrationPolicy): Fitted {
  if (fingerprint === undefined || labels === undefined) return undefined;
  if (slope === undefined || shift === undefined) return undefined;
  return { fingerprint, labels, slope, shift, routeFrom: route_from ?? {} };
}

/** A fit as its document. */
export function docOf({ routeFrom, ...fit }: Omit<OwnFit, 'version'>): CalibrationPolicy {
  const { fingerprint, labels, slope, shift } = fit;
  const doc = { fingerprint, labels, slope, shift };
  return Object.keys(routeFrom).length === 0 ? doc : { ...doc, route_from: { ...routeFrom } };
}
