import { CONDUCT_DEFENCES } from './conduct.ts';
import { CONTENT_DEFENCES } from './content.ts';
import type { Defence } from './defence.ts';
import { IDENTITY_DEFENCES } from './identity.ts';

/** All that is switched off in turn. A defence without a row here is one that nobody would miss. */
export const DEFENCES: readonly Defence[] = [
  ...CONTENT_DEFENCES,
  ...IDENTITY_DEFENCES,
  ...CONDUCT_DEFENCES,
];
