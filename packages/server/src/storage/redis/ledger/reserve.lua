#!lua
-- Reserves of several budgets: all grant, or nothing changes but what time has given back.
local move = record()
local now = moment(move.now)
local lapsesAt = now + move.ttlMs
local asked = {}
for n = 1, number() do
  local terms = record()
  for _, field in ipairs({ 'amount', 'limit', 'cap', 'soft', 'carryMax' }) do
    terms[field] = tonumber(terms[field])
  end
  terms.bounds = {}
  for i, at in ipairs(list()) do terms.bounds[i] = tonumber(at) end
  asked[n] = terms
end

local rows, isGranted = {}, true
for n, terms in ipairs(asked) do
  local row = { terms = terms, lapsed = lapsedOf(terms.name, now) }
  row.state, row.perMinute = turned(budgetNamed(terms.name), terms, now)
  local isLapsed = {}
  for _, id in ipairs(row.lapsed) do
    isLapsed[id] = true
    settleHold(row.state, holdOf(terms.name, id), 0)
  end
  row.isHeld = not isLapsed[move.id] and holdOf(terms.name, move.id) ~= nil
  row.verdict = 'ok'
  if not row.isHeld then
    if terms.amount > roomIn(row.state, terms) then row.verdict = 'exhausted'
    elseif isPaced(terms) and terms.amount > row.state.tokens then row.verdict = 'paced' end
  end
  if row.verdict ~= 'ok' then isGranted = false end
  rows[n] = row
end

local answers = {}
for n, row in ipairs(rows) do
  local terms, state = row.terms, row.state
  local isNew = isGranted and not row.isHeld
  local wasTold = state.isTold
  for _, id in ipairs(row.lapsed) do dropHold(terms.name, id) end
  if isNew then
    state.reserved = state.reserved + terms.amount
    state.tokens = state.tokens - terms.amount
    if state.used + state.reserved >= terms.soft then state.isTold = 1 end
    call('HSET', P .. 'budget-holds:' .. terms.name, move.id, whole(terms.amount) .. ' ' .. whole(state.startsAt))
    call('ZADD', P .. 'budget-lapses:' .. terms.name, whole(lapsesAt), move.id)
  end
  if isNew or #row.lapsed > 0 then
    row.perMinute = perMinuteIn(state, terms)
    keepBudget(terms.name, state, now)
  end
  answers[n] = { row.verdict, whole(row.perMinute), state.isTold - wasTold, flatBudget(state) }
end
return { isGranted and 1 or 0, whole(now), answers }
