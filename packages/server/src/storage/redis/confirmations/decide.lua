#!lua flags=allow-oom
-- Approves or refuses (moves/confirmation.ts).
local move = record()
local now = moment(move.now)
local named, row = confirmationNamed(move.tenant, move.id)
if not row then return 'unknown' end
if not isOpen(row, now) then return 'late' end
local isApproval = move.verdict == 'approved'
if isApproval and (row.state ~= 'pending' or row.codeHash) then return 'late' end
call('HSET', P .. 'confirm:' .. named, 'state', move.verdict, 'decision', move.decision)
if not isApproval then unlist(named, row) end
return 'decided'
