#!lua flags=no-writes
-- What hangs on a task: its history, oldest first, its edits, newest first, or its orphans.
local part = text()
local task = findTask(text(), text())
if not task then return {} end
if part == 'history' then return linesOf(task) end
local key = keyOf(part, task)
return part == 'orphans' and call('HVALS', key) or call('LRANGE', key, 0, -1)
