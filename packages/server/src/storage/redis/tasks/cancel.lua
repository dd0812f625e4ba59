#!lua flags=allow-oom
-- Cancels tasks that have not ended, at most 100, in this order.
local asked = record()
local ids = list()
local now = moment(asked.now)

local cancelled, freed = {}, {}
for _, taskId in ipairs(ids) do
  local task = findTask(asked.tenant, taskId)
  if task and not ENDS[task.state] then
    task.epoch = task.epoch + 1
    local why = { cause = 'cancelled', now = now, by = asked.by, reason = asked.reason }
    freed[#freed + 1] = move(task, why)
    cancelled[#cancelled + 1] = task
  end
end
return { rowsOf(cancelled), rowsOf(stillReady(freed)) }
