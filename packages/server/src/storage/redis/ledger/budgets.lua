#!lua flags=no-writes
-- Budgets as they are kept, and the parts of reservations whose time is over.
local now = moment(text())
local answers = {}
for n, name in ipairs(list()) do
  local state = budgetNamed(name)
  local holds = {}
  for _, id in ipairs(lapsedOf(name, now)) do
    local hold = holdOf(name, id)
    holds[#holds + 1] = { whole(hold.amount), whole(hold.startsAt) }
  end
  answers[n] = { state and flatBudget(state) or false, holds }
end
return { whole(now), answers }
