import { TenantDocs } from '../storage/spi/tenant-docs.ts';
import {
  type Fence,
  type FenceDoc,
  type Fenced,
  holds,
  nameOf,
  NO_FENCES,
  timesOf,
} from './fence-machine.ts';

/** The name of the document in the store. */
export const FENCES = 'fences';

interface Kept {
  doc: FenceDoc;
  /** The last fence of each instance, by its name. */
  last: ReadonlyMap<string, Fence>;
}

/** All fences, as they were read last: a copy of the stored documents, one a tenant; their versions are the epochs. */
export class FenceBook extends TenantDocs<FenceDoc, Kept> {
  protected override read(doc: FenceDoc): Kept {
    return { doc, last: new Map(doc.fences.map((fence) => [nameOf(fence), fence])) };
  }

  /** The fence that holds for one; undefined: none does. Asked of everybody once a second. */
  fenceOf(tenant: string, who: Fenced, now: number): Fence | undefined {
    const last = this.known(tenant)?.last.get(nameOf(who));
    return last !== undefined && last.addr === who.addr && holds(last, now) ? last : undefined;
  }

  /** How often it was fenced in the last ten minutes. */
  timesOf(tenant: string, who: Omit<Fenced, 'addr'>, now: number): number {
    return timesOf(this.known(tenant)?.doc ?? NO_FENCES, who, now);
  }
}
