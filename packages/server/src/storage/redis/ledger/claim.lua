#!lua
-- Claims a key, or takes an unknown one over by its token.
local move = record()
local now = moment(move.now)
local claimEndsAt = now + move.claimMs
local expiresAt = math.max(now + move.ttlMs, claimEndsAt)

local named, fields = keyNamed(move.scope, move.key)
local isTakenOver = stateOf(fields, now) == 'unknown' and fields.token == move.over
if isKnown(fields, now) and not isTakenOver then return present(fields, now) end

call('DEL', P .. 'key:' .. named)
call('HSET', P .. 'key:' .. named, 'fingerprint', move.fingerprint, 'pinned', move.pinned,
  'token', move.token, 'state', 'claimed', 'claimEndsAt', claimEndsAt, 'expiresAt', expiresAt)
put(P .. 'keys', expiresAt, named)
return false
