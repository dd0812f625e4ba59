-- Budgets: what moves/budget-machine.ts says, written a second time. All numbers are whole; they are
-- kept as such texts, for Lua would write a large one with an exponent.

local MINUTE_MS = 60000
local BUDGET_FIELDS = { 'used', 'reserved', 'tokens', 'minute', 'startsAt', 'endsAt', 'carry', 'cap', 'isTold' }

local function whole(number)
  return string.format('%.0f', number)
end

local function minuteAt(at)
  return math.ceil(at / MINUTE_MS)
end

local function budgetNamed(name)
  local values = call('HMGET', P .. 'budget:' .. name, unpack(BUDGET_FIELDS))
  if not values[1] then return nil end
  local state = {}
  for n, field in ipairs(BUDGET_FIELDS) do state[field] = tonumber(values[n]) end
  return state
end

-- A state as it is written and answered.
local function flatBudget(state)
  local flat = {}
  for n, field in ipairs(BUDGET_FIELDS) do
    flat[2 * n - 1] = field
    flat[2 * n] = whole(state[field])
  end
  return flat
end

local function roomIn(state, terms)
  return terms.limit + state.carry - state.used - state.reserved
end

local function isPaced(terms)
  return terms.cap < terms.limit
end

local function perMinuteIn(state, terms)
  local left = math.max(1, minuteAt(state.endsAt) - state.minute - 1)
  local all = math.max(1, math.floor((state.endsAt - state.startsAt) / MINUTE_MS + 0.5))
  local most = math.floor(4 * terms.limit / all)
  return math.min(most, math.max(0, math.floor(roomIn(state, terms) / left)))
end

local function fill(state, perMinute, minute)
  local minutes = math.max(0, minute - state.minute)
  state.tokens = math.min(state.cap, state.tokens + minutes * perMinute)
  state.minute = state.minute + minutes
end

local function periodOf(bounds, now)
  local n = 2
  while n < #bounds and bounds[n] <= now do n = n + 1 end
  return bounds[n - 1], bounds[n]
end

-- The state at a moment, and what each minute from then on adds to it while nobody writes it.
local function turned(state, terms, now)
  local minute = math.floor(now / MINUTE_MS)
  local startsAt, endsAt = periodOf(terms.bounds, now)
  if not state then
    state = {
      used = 0, reserved = 0, tokens = terms.cap, minute = minute, startsAt = startsAt,
      endsAt = endsAt, carry = 0, cap = terms.cap, isTold = 0,
    }
    return state, perMinuteIn(state, terms)
  end
  state.cap = terms.cap
  if now >= state.endsAt and startsAt > state.startsAt then
    fill(state, perMinuteIn(state, terms), minuteAt(state.endsAt) - 1)
    local left = startsAt <= state.endsAt and roomIn(state, terms) or terms.carryMax
    state.carry = math.min(terms.carryMax, left)
    state.used, state.reserved, state.isTold = 0, 0, 0
    state.startsAt, state.endsAt = startsAt, endsAt
    if not isPaced(terms) then state.tokens = terms.cap end
  end
  local perMinute = perMinuteIn(state, terms)
  fill(state, perMinute, minute)
  return state, perMinute
end

-- A part of a reservation, settled: what was used stays with its own period.
local function settleHold(state, hold, used)
  state.tokens = math.min(state.cap, state.tokens + hold.amount - used)
  if hold.startsAt ~= state.startsAt then return end
  state.reserved = state.reserved - hold.amount
  state.used = state.used + used
end

-- Parts of reservations are kept by their ids, and once more by when they lapse.
local function holdOf(name, id)
  local text = call('HGET', P .. 'budget-holds:' .. name, id)
  if not text then return nil end
  local amount, startsAt = string.match(text, '^(%d+) (%d+)$')
  return { amount = tonumber(amount), startsAt = tonumber(startsAt) }
end

local function dropHold(name, id)
  call('HDEL', P .. 'budget-holds:' .. name, id)
  call('ZREM', P .. 'budget-lapses:' .. name, id)
end

-- One that is given back late is given back all the same; no script does more than this at once.
local LAPSED_MAX = 500

local function lapsedOf(name, now)
  return call('ZRANGEBYSCORE', P .. 'budget-lapses:' .. name, '-inf', whole(now), 'LIMIT', 0, LAPSED_MAX)
end

-- Writes a budget. It is forgotten a whole period after its own, with time to spare for a caller
-- whose clock is not this server's.
local function keepBudget(name, state, now)
  call('HSET', P .. 'budget:' .. name, unpack(flatBudget(state)))
  local livesMs = math.max(0, 2 * state.endsAt - state.startsAt - now) + MINUTE_MS
  for _, kind in ipairs({ 'budget:', 'budget-holds:', 'budget-lapses:' }) do
    call('PEXPIRE', P .. kind .. name, whole(livesMs))
  end
end
