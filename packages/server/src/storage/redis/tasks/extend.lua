#!lua flags=allow-oom
-- Keeps leases alive, at most 100; answers each.
local now = moment(text())
local endsAt = now + number()
local leases = {}
for n = 1, number() do leases[n] = record() end

local answers = {}
for n, lease in ipairs(leases) do
  local task = findTask(lease.tenant, lease.taskId)
  local standing = task and standingOf(task, lease.epoch)
  if not task then
    answers[n] = { 'unknown' }
  elseif standing == 'holds' then
    lengthen(task, endsAt)
    saveTask(task)
    answers[n] = { 'ok', task.state, task.leaseEndsAt }
  else
    answers[n] = { standing == 'late' and 'lost' or standing, task.state }
  end
end
return answers
