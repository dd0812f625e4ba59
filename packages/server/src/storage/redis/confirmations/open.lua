#!lua
-- Opens a confirmation, unless its principal has too many open.
local move = record()
local now = moment(move.now)
local expiresAt = now + move.ttlMs
local named = join(move.tenant, move.id)

local row = {
  tenant = move.tenant, id = move.id, principal = move.principal,
  createdAt = now, expiresAt = expiresAt,
}
local open = call('ZCOUNT', ownOf(row), '(' .. SCORES[now], '+inf')
if open >= tonumber(move.pendingMax) then return 0 end

local key = P .. 'confirm:' .. named
call('HSET', key, 'tenant', move.tenant, 'id', move.id, 'principal', move.principal,
  'digest', move.digest, 'about', move.about, 'state', 'pending', 'tries', 0,
  'createdAt', now, 'expiresAt', expiresAt)
if move.codeHash then call('HSET', key, 'codeHash', move.codeHash) end
enlist(named, row)
put(P .. 'confirms-kept', expiresAt + move.keepMs, named)
return 1
