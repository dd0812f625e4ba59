import { lazily, type Row } from './row.ts';

const budgets = () => import('./commands/budgets.ts');
const policies = () => import('./commands/policies.ts');

/** The commands of those who say what may be used. */
export const BUDGET_ROWS: readonly Row[] = [
  {
    path: 'budgets status',
    says: 'What each budget has used, and what is left of it',
    heading: 'Budgets:',
    run: lazily(async () => (await budgets()).showBudgets),
  },
  {
    path: 'budgets get',
    says: 'The budgets as they are set',
    run: lazily(async () => (await policies()).getPolicy('budgets')),
  },
  {
    path: 'budgets set',
    operands: '<document>',
    says: 'Write all budgets anew; what is used stays counted',
    flags: [
      { flags: '--expect <version>', says: 'refuse unless this version is the present one' },
      { flags: '--dry-run', says: 'check it and store nothing' },
    ],
    examples: [
      `reach budgets set '{"budgets":[{"id":"crm","scope":{"capability":"crm.*"},"limit":10000,"period":"month"}]}'`,
      'reach budgets set @budgets.json --dry-run',
    ],
    run: lazily(async () => (await budgets()).setBudgets),
  },
  {
    path: 'budgets rollback',
    operands: '[version]',
    says: 'Put the document before this one back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('budgets')),
  },
  {
    path: 'budgets history',
    says: 'The versions of the document, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('budgets')),
  },
];
