/** Budgets, and the parts of reservations that are not settled yet. */
export const BUDGETS_SCHEMA = `
  CREATE TABLE budgets (
    name TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    carry INTEGER NOT NULL,
    cap INTEGER NOT NULL,
    is_told INTEGER NOT NULL,
    forgotten_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX budgets_forgotten ON budgets (forgotten_at);

  CREATE TABLE budget_holds (
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    amount INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    lapses_at INTEGER NOT NULL,
    PRIMARY KEY (name, id)
  ) STRICT;
  CREATE INDEX budget_holds_lapsing ON budget_holds (name, lapses_at);
`;
