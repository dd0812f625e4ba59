#!lua flags=allow-oom
-- Uses a confirmation up, once (moves/confirmation.ts).
local move = record()
local now = moment(move.now)
local named, row = confirmationNamed(move.tenant, move.id)
if not row or row.principal ~= move.principal then return 'unknown' end
if row.state ~= 'pending' and row.state ~= 'approved' then return row.state end
if tonumber(row.expiresAt) <= now then return 'expired' end

local key = P .. 'confirm:' .. named
if row.digest ~= move.digest or row.codeHash ~= move.codeHash then
  local tries = tonumber(row.tries) + 1
  call('HSET', key, 'tries', tries)
  if tries >= tonumber(move.triesMax) then
    call('HSET', key, 'state', 'dead')
    unlist(named, row)
  end
  return 'wrong'
end
if not row.codeHash and row.state ~= 'approved' then return 'pending' end
call('HSET', key, 'state', 'used')
unlist(named, row)
return 'consumed'
