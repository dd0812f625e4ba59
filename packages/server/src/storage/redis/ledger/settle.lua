#!lua flags=allow-oom
-- Ends a claim: done, unknown, or free.
local move = record()
local now = moment(move.now)
local expiresAt = now + move.ttlMs

local named, fields = keyNamed(move.scope, move.key)
if not holds(fields, move, now) then return 0 end
if move.state == 'free' then
  forgetKey(named)
  return 1
end
local key = P .. 'key:' .. named
call('HSET', key, 'state', move.state)
call('HDEL', key, 'claimEndsAt')
if move.answer then call('HSET', key, 'answer', move.answer) end
expireAt(named, expiresAt)
return 1
