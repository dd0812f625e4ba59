#!lua flags=no-writes
-- Reads a key without touching it.
local move = record()
local _, fields = keyNamed(move.scope, move.key)
return present(fields, moment(move.now))
