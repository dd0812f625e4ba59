#!lua flags=allow-oom
-- The receipt: received and started.
local lease = record()
local now = moment(lease.now)
local endsAt = now + lease.leaseMs

local task = findTask(lease.tenant, lease.taskId)
if not task then return { 'unknown' } end
local standing = standingOf(task, lease.epoch)
if standing ~= 'holds' then return refusal(task, standing) end
lengthen(task, endsAt)
if task.state == 'delivered' then begin(task, now) else saveTask(task) end
return { 'ok', rowOf(task) }
