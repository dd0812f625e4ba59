#!lua flags=allow-oom
-- Lets a task that is blocked or waiting start sooner.
local asked = record()
local now = moment(asked.now)
local sooner = now + asked.delayMs

local task = findTask(asked.tenant, asked.taskId)
if not task then return { 'unknown' } end
local isPending = task.state == 'blocked' or task.state == 'waiting'
local isLater = task.dueAt and task.dueAt > sooner
if not isPending or not isLater then return { 'refused', rowOf(task) } end
task.dueAt = sooner
note(task, { cause = 'hastened', reason = asked.reason }, now)
return decided(task)
