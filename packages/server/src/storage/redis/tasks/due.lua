#!lua flags=allow-oom
-- Queues what is due.
local now = moment(text())
local limit = number()

local due = {}
for n, seq in ipairs(call('ZRANGEBYSCORE', P .. 'due', '-inf', now, 'LIMIT', 0, limit)) do
  local task = taskAt(seq)
  task.readyAt = task.dueAt
  move(task, { cause = 'due', now = now })
  due[n] = task
end
return rowsOf(due)
