-- A queue is an agent's, whatever the types, or that of a type nobody offers. Its hash counts the
-- tasks in it by state, and keeps whose turn it is. Queued tasks stand in lanes: those of a lane are
-- alike for every claim. A lane is there as long as somebody stands in it.

-- The queues that a script meets, by name, with their keys: putting names together costs more than most
-- that is done with them.
local queues = {}

local function queueNamed(name)
  local queue = queues[name]
  if not queue then
    queue = {
      name = name, counts = P .. 'queue:' .. name, living = P .. 'living:' .. name,
      lanes = P .. 'lanes:' .. name, spots = {},
    }
    queues[name] = queue
  end
  return queue
end

-- Names as `join` would write them, who does not remember.
local function queueOf(task)
  if not task.queue then
    local names = JSON[task.tenant] .. ',' .. JSON[task.agentId or '']
    if not task.agentId then names = names .. ',' .. JSON[task.taskType] end
    task.queue = queueNamed('[' .. names .. ']')
  end
  return task.queue
end

-- A lane of a queue with its keys.
local function spotNamed(queue, lane)
  local spot = queue.spots[lane]
  if not spot then
    local named = queue.name .. lane
    spot = {
      queue = queue, lane = lane, ready = P .. 'ready:' .. named, age = P .. 'age:' .. named,
      callers = P .. 'callers:' .. named, readyOf = {},
    }
    queue.spots[lane] = spot
  end
  return spot
end

local function spotOf(task)
  local lane = '[' .. JSON[task.priority] .. ',' .. JSON[task.group or ''] .. ','
    .. JSON[task.taskType] .. ',' .. JSON[task.home or ''] .. ']'
  return spotNamed(queueOf(task), lane)
end

-- The key of a caller's tasks in a lane.
local function readyKey(spot, principal)
  local key = spot.readyOf[principal]
  if not key then
    key = spot.ready .. principal
    spot.readyOf[principal] = key
  end
  return key
end

-- The callers of a lane go by name, the tasks of each by number; the age of all goes beside.
local function joinLane(task)
  local spot, seq, principal = spotOf(task), task.seq, task.principal
  put(spot.queue.lanes, task.priority, spot.lane)
  put(spot.callers, 0, principal)
  put(readyKey(spot, principal), seq, seq)
  put(spot.age, task.readyAt, seq)
end

-- Of lanes that somebody has left, whom: by the key of those that were beside him.
local left = {}

local function leaveLane(task)
  local spot, principal = spotOf(task), task.principal
  local ready = readyKey(spot, principal)
  drop(spot.age, task.seq)
  drop(ready, task.seq)
  if not left[ready] then left[ready] = { spot = spot, principal = principal } end
end

-- Closes the lanes in which nobody stands any more: when a claim has taken a caller's last task, and at
-- the end of the script.
local function closeLanes()
  for ready, from in pairs(left) do
    left[ready] = nil
    local spot = from.spot
    if call('EXISTS', ready) == 0 then
      drop(spot.callers, from.principal)
      if call('EXISTS', spot.callers) == 0 then drop(spot.queue.lanes, spot.lane) end
    end
  end
end
closing[#closing + 1] = closeLanes

-- The names under which queued tasks are counted, by priority.
local QUEUED = {
  [0] = 'queued:0', 'queued:1', 'queued:2', 'queued:3', 'queued:4', 'queued:5', 'queued:6', 'queued:7',
  'queued:8', 'queued:9', 'queued:10',
}

local function recountAs(queue, name, by)
  count(queue.counts, name, by)
  -- Whoever asked for the figures before goes on counting from there.
  local figures = queue.figures
  if figures then figures[name] = (figures[name] or 0) + by end
end

local function recount(task, by)
  local queue = queueOf(task)
  recountAs(queue, task.state, by)
  if task.state == 'queued' then recountAs(queue, QUEUED[task.priority], by) end
end

-- A task lives in its queue until it has ended. A queue in which none lives stays as it is, for prune
-- to forget: whose turn it was may matter soon again.
local function joinQueue(task)
  local queue = queueOf(task)
  put(queue.living, task.seq, task.seq)
  put(INDEX.queues, 0, queue.name)
end

local abandoned = {}

local function leaveQueue(task)
  local queue = queueOf(task)
  drop(queue.living, task.seq)
  abandoned[queue.name] = queue
end

closing[#closing + 1] = function()
  for name, queue in pairs(abandoned) do
    if call('EXISTS', queue.living) == 0 then call('SADD', P .. 'idle', name) end
  end
end

-- How many wait to be taken, in whatever way, and how many queued ones are as urgent or more so.
local function fullnessOf(task)
  local queue = queueOf(task)
  local figures = queue.figures or fieldsOf(call('HGETALL', queue.counts))
  queue.figures = figures
  local pending = (figures.blocked or 0) + (figures.queued or 0) + (figures.waiting or 0)
  local ahead = 0
  for priority = task.priority, 10 do ahead = ahead + (figures[QUEUED[priority]] or 0) end
  return pending, ahead
end
