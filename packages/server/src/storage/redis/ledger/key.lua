-- Idempotency keys. A claim that lapsed is not rewritten: it reads as `unknown`, so that a look costs
-- no write, and its holder, if it comes back late and nobody took over, may still settle. `keys` says
-- when each expires.

local function keyNamed(scope, key)
  local named = join(scope, key)
  return named, fieldsOf(call('HGETALL', P .. 'key:' .. named))
end

local function isKnown(fields, now)
  return fields.expiresAt and tonumber(fields.expiresAt) > now
end

local function stateOf(fields, now)
  local isLapsed = fields.state == 'claimed' and tonumber(fields.claimEndsAt) <= now
  return isLapsed and 'unknown' or fields.state
end

-- What is known of a key, as it is answered; false: nothing.
local function present(fields, now)
  if not isKnown(fields, now) then return false end
  local state = stateOf(fields, now)
  local reply = {
    'fingerprint', fields.fingerprint, 'pinned', fields.pinned, 'token', fields.token,
    'expiresAt', fields.expiresAt, 'state', state,
  }
  if fields.answer then
    reply[#reply + 1] = 'answer'
    reply[#reply + 1] = fields.answer
  elseif state == 'claimed' then
    reply[#reply + 1] = 'claimEndsAt'
    reply[#reply + 1] = fields.claimEndsAt
  end
  return reply
end

-- Whether a token holds a key: a lapsed claim still belongs to it.
local function holds(fields, move, now)
  return isKnown(fields, now) and fields.state == 'claimed' and fields.token == move.token
end

local function expireAt(named, at)
  call('HSET', P .. 'key:' .. named, 'expiresAt', at)
  put(P .. 'keys', at, named)
end

local function forgetKey(named)
  call('DEL', P .. 'key:' .. named)
  drop(P .. 'keys', named)
end

-- 2^53 - 1: later than every moment, and exact in a sorted set.
local FOR_EVER = 9007199254740991

-- Keeps a first verdict that came with its request: there is nothing to claim. It does not expire
-- until somebody says when.
local function keepKey(named, record)
  local key = P .. 'key:' .. named
  call('DEL', key)
  call('HSET', key, 'fingerprint', record.fingerprint, 'pinned', record.pinned, 'token', record.token,
    'state', 'done', 'answer', record.answer, 'expiresAt', FOR_EVER)
  put(P .. 'keys', FOR_EVER, named)
end
