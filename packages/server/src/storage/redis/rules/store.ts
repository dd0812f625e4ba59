import type { RuleRow, RulesStore } from '../../spi/rules.ts';
import { PIECE, record } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { items, json } from '../rows.ts';

/** Versioned documents: a list of JSON texts each, the newest first. */
export function rulesOn(engine: Engine): RulesStore {
  return {
    get: async ({ tenant, name }) => {
      const [row] = items(await engine.run('rules/history', [tenant, name, 1]));
      return row === undefined ? undefined : toRule(row);
    },
    put: async (move) => {
      const [outcome, row = ''] = items(await engine.run('rules/put', record(move)));
      return { outcome: outcome as 'stored' | 'conflict', row: toRule(row) };
    },
    list: ({ tenant }) => list(engine, tenant),
    history: async ({ tenant, name, limit }) =>
      items(await engine.run('rules/history', [tenant, name, limit])).map(toRule),
  };
}

async function list(engine: Engine, tenant: string): Promise<RuleRow[]> {
  const rows: RuleRow[] = [];
  let after = '';
  for (;;) {
    const page = items(await engine.run('rules/list', [tenant, after, PIECE])).map(toRule);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PIECE) return rows;
    after = last.name;
  }
}

function toRule(reply: Reply): RuleRow {
  return json(reply) as RuleRow;
}
