#!lua flags=allow-oom
-- Settles a reservation, each part once.
local id = text()
local charges = {}
for n = 1, number() do
  local charge = record()
  charge.amount = tonumber(charge.amount)
  charges[n] = charge
end

local areAllThere = 1
for _, charge in ipairs(charges) do
  local hold = holdOf(charge.name, id)
  local state = hold and budgetNamed(charge.name)
  if state then
    settleHold(state, hold, charge.amount)
    dropHold(charge.name, id)
    call('HSET', P .. 'budget:' .. charge.name, unpack(flatBudget(state)))
  else
    areAllThere = 0
  end
end
return areAllThere
