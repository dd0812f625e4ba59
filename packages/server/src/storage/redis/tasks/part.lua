#!lua flags=no-writes
-- What hangs on a task: its history, oldest first, its edits, newest first, or its orphans.
local part = text()
local seq = call('HGET', P .. 'ids:' .. text(), text())
if not seq then return {} end
local key = P .. part .. ':' .. seq
return part == 'orphans' and call('HVALS', key) or call('LRANGE', key, 0, LINES_MAX)
