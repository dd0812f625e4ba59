#!lua flags=allow-oom
-- Parks a task that is queued or waiting, by hand.
local asked = record()
local now = moment(asked.now)

local task = findTask(asked.tenant, asked.taskId)
if not task then return { 'unknown' } end
if task.state ~= 'queued' and task.state ~= 'waiting' then return { 'refused', rowOf(task) } end
local why = { cause = 'killed', now = now, by = asked.by, reason = asked.reason }
return decided(task, move(task, why))
