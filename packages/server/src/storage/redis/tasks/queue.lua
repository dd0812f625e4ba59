-- A queue is an agent's, whatever the types, or that of a type nobody offers. Its hash counts the
-- tasks in it by state, and keeps whose turn it is. Queued tasks stand in lanes: those of a lane are
-- alike for every claim. A lane is there as long as somebody stands in it.

local function queueOf(task)
  if task.agentId then return join(task.tenant, task.agentId) end
  return join(task.tenant, '', task.taskType)
end

local function laneOf(task)
  return join(task.priority, task.group or '', task.taskType, task.home or '')
end

-- The callers of a lane go by name, the tasks of each by number; the age of all goes beside.
local function joinLane(task)
  local queue, lane, seq = queueOf(task), laneOf(task), task.seq
  local spot = queue .. lane
  call('ZADD', P .. 'lanes:' .. queue, task.priority, lane)
  call('ZADD', P .. 'callers:' .. spot, 0, task.principal)
  call('ZADD', P .. 'ready:' .. spot .. task.principal, seq, seq)
  call('ZADD', P .. 'age:' .. spot, task.readyAt, seq)
end

local function leaveLane(task)
  local queue, lane, seq = queueOf(task), laneOf(task), task.seq
  local spot = queue .. lane
  local ready = P .. 'ready:' .. spot .. task.principal
  call('ZREM', P .. 'age:' .. spot, seq)
  call('ZREM', ready, seq)
  if call('EXISTS', ready) == 1 then return end
  call('ZREM', P .. 'callers:' .. spot, task.principal)
  if call('EXISTS', P .. 'callers:' .. spot) == 0 then
    call('ZREM', P .. 'lanes:' .. queue, lane)
  end
end

local function recount(task, by)
  local counts = P .. 'queue:' .. queueOf(task)
  call('HINCRBY', counts, task.state, by)
  if task.state == 'queued' then call('HINCRBY', counts, 'queued:' .. task.priority, by) end
end

-- A task lives in its queue until it has ended. A queue in which none lives stays as it is, for prune
-- to forget: whose turn it was may matter soon again.
local function joinQueue(task)
  local queue = queueOf(task)
  call('ZADD', P .. 'living:' .. queue, task.seq, task.seq)
  call('ZADD', P .. 'queues', 0, queue)
end

local function leaveQueue(task)
  local queue = queueOf(task)
  call('ZREM', P .. 'living:' .. queue, task.seq)
  if call('EXISTS', P .. 'living:' .. queue) == 0 then call('SADD', P .. 'idle', queue) end
end

-- How many wait to be taken, in whatever way, and how many queued ones are as urgent or more so.
local function fullnessOf(task)
  local counts = fieldsOf(call('HGETALL', P .. 'queue:' .. queueOf(task)))
  local pending, ahead = 0, 0
  for _, state in ipairs({ 'blocked', 'queued', 'waiting' }) do
    pending = pending + (counts[state] or 0)
  end
  for priority = task.priority, 10 do ahead = ahead + (counts['queued:' .. priority] or 0) end
  return pending, ahead
end
