#!lua flags=allow-oom
-- Keeps a claim alive, or revives its own lapsed one.
local move = record()
local now = moment(move.now)
local claimEndsAt = now + move.claimMs

local named, fields = keyNamed(move.scope, move.key)
if not holds(fields, move, now) then return 0 end
call('HSET', P .. 'key:' .. named, 'claimEndsAt', claimEndsAt)
expireAt(named, math.max(tonumber(fields.expiresAt), claimEndsAt))
return 1
