import { lazily, type Row } from './row.ts';

const meaning = () => import('./commands/meaning.ts');
const evaluation = () => import('./commands/evaluate.ts');
const calibration = () => import('./commands/calibrate.ts');
const policies = () => import('./commands/policies.ts');

/** The commands around what an intent means. */
export const MEANING_ROWS: readonly Row[] = [
  {
    path: 'routes choose',
    operands: '<route-id> [capability]',
    says: 'Answer a question that a decision asked back',
    flags: [
      { flags: '--none', says: 'none of the options was right' },
      { flags: '--intent <text>', says: 'what was asked, if another gateway asked back' },
      { flags: '--as <id>', says: 'who answers (where the gateway asks nobody)' },
    ],
    examples: [
      'reach routes choose rte_06F2 query_order_status --as desk',
      'reach routes choose rte_06F2 --none --as desk',
    ],
    run: lazily(async () => (await meaning()).choose),
  },
  {
    path: 'routes evaluate',
    operands: '<utterances>',
    says: 'How well intents are read, by a file of utterances whose right end is known',
    flags: [
      { flags: '--budget <percent>', says: 'wrong routes of 100: 0.1, 1 or 5; else as configured' },
    ],
    examples: ['reach routes evaluate utterances.jsonl'],
    run: lazily(async () => (await evaluation()).evaluate),
  },
  {
    path: 'routes calibrate',
    operands: '<utterances>',
    says: 'What such a file makes of the probability that decides, and whether that is better',
    flags: [
      { flags: '--apply', says: 'put it in force, as the policy calibration' },
      { flags: '--budget <percent>', says: 'wrong routes of 100: 0.1, 1 or 5; else as configured' },
    ],
    examples: [
      'reach routes calibrate utterances.jsonl',
      'reach routes calibrate utterances.jsonl --apply',
    ],
    run: lazily(async () => (await calibration()).calibrate),
  },
  {
    path: 'routes learned',
    says: 'What answers have taught, who gave them and when',
    run: lazily(async () => (await policies()).getPolicy('examples')),
  },
  {
    path: 'routes unlearn',
    operands: '[version]',
    says: 'Put what was learned back to the version before, or the one that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('examples')),
  },
  {
    path: 'calibration get',
    says: 'What labels of one’s own make of the probability by which intents are routed',
    run: lazily(async () => (await policies()).getPolicy('calibration')),
  },
  {
    path: 'calibration remove',
    says: 'Route by the probability that ships again',
    flags: [{ flags: '--dry-run', says: 'check it and store nothing' }],
    run: lazily(async () => (await calibration()).removeCalibration),
  },
  {
    path: 'calibration rollback',
    operands: '[version]',
    says: 'Put the document before this one back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('calibration')),
  },
  {
    path: 'calibration history',
    says: 'The versions of the document, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('calibration')),
  },
];
