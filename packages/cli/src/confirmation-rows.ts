import { type Flag, lazily, type Row } from './row.ts';

const confirmations = () => import('./commands/confirmations.ts');
const policies = () => import('./commands/policies.ts');

const REASON: Flag = { flags: '--reason <text>', says: 'why, for whoever asked' };

/** The commands of those whose word is wanted, and of those who say when it is. */
export const CONFIRMATION_ROWS: readonly Row[] = [
  {
    path: 'confirmations list',
    says: 'What waits for somebody’s word, the oldest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 100 by default' }],
    run: lazily(async () => (await confirmations()).listConfirmations),
  },
  {
    path: 'confirmations show',
    operands: '<confirmation>',
    says: 'Exactly what would be done, and where it stands',
    run: lazily(async () => (await confirmations()).showConfirmation),
  },
  {
    path: 'confirmations approve',
    operands: '<confirmation>',
    says: 'Say yes: whoever asked may do exactly this, once',
    flags: [REASON],
    run: lazily(async () => (await confirmations()).approve),
  },
  {
    path: 'confirmations refuse',
    operands: '<confirmation>',
    says: 'Say no, or take back an approval that was not used yet',
    flags: [REASON],
    examples: ['reach confirmations refuse cfm_01k… --reason "the amount is wrong"'],
    run: lazily(async () => (await confirmations()).refuse),
  },
  {
    path: 'confirmations rules',
    says: 'Who must confirm what',
    run: lazily(async () => (await policies()).getPolicy('confirmations')),
  },
  {
    path: 'confirmations set',
    operands: '<document>',
    says: 'Write the rules anew',
    flags: [
      { flags: '--expect <version>', says: 'refuse unless this version is the present one' },
      { flags: '--dry-run', says: 'check it and store nothing' },
    ],
    examples: ['reach confirmations set @confirmations.json --dry-run'],
    run: lazily(async () => (await confirmations()).setRules),
  },
  {
    path: 'confirmations rollback',
    operands: '[version]',
    says: 'Put the rules before these back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('confirmations')),
  },
  {
    path: 'confirmations history',
    says: 'The versions of the rules, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('confirmations')),
  },
];
