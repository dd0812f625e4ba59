#!lua flags=no-writes
-- One confirmation and what it has left.
local move = record()
local now = moment(move.now)
local _, row = confirmationNamed(move.tenant, move.id)
if not row then return false end
return { shown(row), math.max(0, tonumber(row.expiresAt) - now) }
