#!lua flags=allow-oom
-- Notes progress and keeps the lease alive. A number that falls is an older word.
local lease = record()
local now = moment(lease.now)
local endsAt = now + lease.leaseMs
local percent = tonumber(lease.percent)

local task = findTask(lease.tenant, lease.taskId)
if not task then return { 'unknown' } end
local standing = standingOf(task, lease.epoch)
if standing ~= 'holds' then return refusal(task, standing) end
lengthen(task, endsAt)
local before = task.progress and task.progress.percent or '0'
-- A text: a part of a percent may have more digits than cjson writes.
local furthest = percent >= tonumber(before) and lease.percent or before
task.progress, task.updatedAt = { percent = furthest, note = lease.note, at = now }, now
if task.state == 'delivered' then begin(task, now) else saveTask(task) end
return { 'ok', rowOf(task) }
