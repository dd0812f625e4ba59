#!lua
-- Runs a dead task again from attempt 0.
local asked = record()
local now = moment(asked.now)
local deadlineMs = tonumber(asked.deadlineMs)

local task = findTask(asked.tenant, asked.taskId)
if not task then return { 'unknown' } end
if task.state ~= 'dead' then return { 'refused', rowOf(task) } end
if asked.payload then replacePayload(task, asked, now) end
call('HDEL', task.key, 'result')
task.attempts, task.deliveries, task.epoch = 0, 0, task.epoch + 1
task.holder, task.progress = nil, nil
task.deadlineAt = deadlineMs and now + deadlineMs
-- A dead task that its chain waits for has the turn itself.
local isBehind = task.onDead == 'skip' and standsBehind(task, now)
task.readyAt = not isBehind and now or nil
local cause = isBehind and 'overtaken' or 'redriven'
move(task, { cause = cause, now = now, by = asked.by, reason = asked.reason })
return decided(task)
