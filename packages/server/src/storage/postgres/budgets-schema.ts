/**
 * Budgets, and the parts of reservations that are not settled yet. A budget whose period ends at 0
 * was made to be locked by a first reservation, and nothing is known of it.
 */
export const BUDGETS_SCHEMA = `
  CREATE TABLE budgets (
    name word PRIMARY KEY,
    used bigint NOT NULL DEFAULT 0,
    reserved bigint NOT NULL DEFAULT 0,
    tokens bigint NOT NULL DEFAULT 0,
    minute bigint NOT NULL DEFAULT 0,
    starts_at bigint NOT NULL DEFAULT 0,
    ends_at bigint NOT NULL DEFAULT 0,
    carry bigint NOT NULL DEFAULT 0,
    cap bigint NOT NULL DEFAULT 0,
    is_told boolean NOT NULL DEFAULT false,
    forgotten_at bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);
  CREATE INDEX budgets_forgotten ON budgets (forgotten_at);

  CREATE TABLE budget_holds (
    name word NOT NULL,
    id word NOT NULL,
    amount bigint NOT NULL,
    starts_at bigint NOT NULL,
    lapses_at bigint NOT NULL,
    PRIMARY KEY (name, id)
  );
  CREATE INDEX budget_holds_lapsing ON budget_holds (name, lapses_at);
`;
