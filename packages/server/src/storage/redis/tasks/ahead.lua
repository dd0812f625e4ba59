#!lua flags=no-writes
-- The place of a queued task: how many are more urgent, and how many as urgent and ready for longer.
local task = findTask(text(), text())
if not task or task.state ~= 'queued' then return false end
local queue = queueOf(task)

-- How many of a lane stand before the task. Among those that were ready in the same moment its place
-- is searched for by halves: they may be many.
local function before(lane)
  local age = spotNamed(queue, lane).age
  local low = call('ZCOUNT', age, '-inf', '(' .. task.readyAt)
  local high = call('ZCOUNT', age, '-inf', task.readyAt)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if call('ZRANGE', age, middle, middle)[1] < task.seq then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local urgent, alike = 0, 0
for priority = task.priority + 1, 10 do
  urgent = urgent + (call('HGET', queue.counts, QUEUED[priority]) or 0)
end
local lanes = call('ZRANGEBYSCORE', queue.lanes, task.priority, task.priority)
for _, lane in ipairs(lanes) do alike = alike + before(lane) end
return { urgent, alike }
