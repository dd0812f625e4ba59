import Type from 'typebox';
import { BudgetView } from '../budget.ts';
import { operations } from './operation.ts';

export const BUDGET_OPERATIONS = operations({
  'budgets.list': {
    summary: 'How the budgets stand: used, reserved, left, and when they begin anew.',
    method: 'GET',
    path: '/v1/budgets',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ budgets: Type.Array(BudgetView) }),
    errors: [],
    example: {},
  },
});
