#!lua flags=allow-oom
-- Leases queued tasks, one after the other. Where to look is decided among the queue's lanes, which
-- are few; who is next there is one descent of a sorted set. So a claim costs by what it takes,
-- whatever the queue holds.
local asked = record()
local groups, taskTypes, homes = set(), set(), set()
local now = moment(asked.now)
local limit, leaseMs = tonumber(asked.limit), tonumber(asked.leaseMs)
local agingMs, agingEvery = tonumber(asked.agingMs), tonumber(asked.agingEvery)
local queue = queueNamed(join(asked.tenant, asked.agentId))
local counts = queue.counts

-- Of this claim: the tasks it has taken, by number, and the callers it has served, by priority.
local taken, served = {}, {}

local function isServed(lane)
  if lane.group ~= '' and groups and not groups[lane.group] then return false end
  if taskTypes and not taskTypes[lane.taskType] then return false end
  return lane.home == '' or (homes ~= nil and homes[lane.home] == true)
end

-- Those with a task that may be claimed, the most urgent first.
local function servedLanes()
  local lanes = {}
  for _, lane in ipairs(call('ZREVRANGE', queue.lanes, 0, -1)) do
    local priority, group, taskType, home = unpack(cjson.decode(lane))
    local found = { priority = priority, group = group, taskType = taskType, home = home }
    found.spot, found.ready = spotNamed(queue, lane), {}
    if isServed(found) then lanes[#lanes + 1] = found end
  end
  return lanes
end

-- By their bytes: `<` goes by the language of the machine.
local function isBefore(a, b)
  for n = 1, math.min(#a, #b) do
    local left, right = a:byte(n), b:byte(n)
    if left ~= right then return left < right end
  end
  return #a < #b
end

-- The only caller of a lane, if he is: the server need not be asked again and again whose turn it is.
local function soleOf(lane)
  if lane.sole == nil then
    local some = call('ZRANGE', lane.spot.callers, 0, 1)
    lane.sole = #some == 1 and some[1]
  end
  return lane.sole
end

-- The first caller after the one served last, or else the first of all, in a new round.
local function callerAfter(lane, last)
  local sole = soleOf(lane)
  if sole then return sole, (last and isBefore(last, sole)) and 0 or 1 end
  local callers = lane.spot.callers
  local found = last and call('ZRANGEBYLEX', callers, '(' .. last, '+', 'LIMIT', 0, 1)[1]
  if found then return found, 0 end
  return call('ZRANGE', callers, 0, 0)[1], 1
end

-- The oldest tasks of a caller in a lane, without those that were taken; more than this claim can take.
local function readyOf(lane, principal)
  local ready = lane.ready[principal]
  if not ready then
    ready = call('ZRANGE', readyKey(lane.spot, principal), 0, limit)
    ready.first = 1
    lane.ready[principal] = ready
  end
  while taken[ready[ready.first]] do ready.first = ready.first + 1 end
  return ready[ready.first]
end

local function nextOf(lane, last)
  local principal, round = callerAfter(lane, last)
  return { lane = lane, round = round, principal = principal, seq = readyOf(lane, principal) }
end

local function goesBefore(a, b)
  if a.round ~= b.round then return a.round < b.round end
  if a.principal == b.principal then return a.seq < b.seq end
  return isBefore(a.principal, b.principal)
end

-- The caller whom this queue served last at a priority.
local function lastServed(priority)
  if served[priority] == nil then served[priority] = call('HGET', counts, 'turn:' .. priority) end
  return served[priority]
end

local function nextInTurn(lanes)
  local priority, following = lanes[1].priority, nil
  local last = lastServed(priority)
  for _, lane in ipairs(lanes) do
    if lane.priority ~= priority then break end
    local found = nextOf(lane, last)
    if not following or goesBefore(found, following) then following = found end
  end
  served[priority] = following.principal
  return following
end

-- Of the tasks that have waited too long for their priority, the one that was ready first.
local function longestReady(lanes)
  if lanes[1].priority == 10 then return nil end
  local first
  for _, lane in ipairs(lanes) do
    local seq, score = unpack(call('ZRANGE', lane.spot.age, 0, 0, 'WITHSCORES'))
    local found = { lane = lane, seq = seq, readyAt = tonumber(score) }
    local isAged = now - found.readyAt > agingMs * (10 - lane.priority)
    local isFirst = not first or found.readyAt < first.readyAt
      or (found.readyAt == first.readyAt and seq < first.seq)
    if isAged and isFirst then first = found end
  end
  return first
end

local function take(seq)
  local task, payload = taskAt(seq, 'payload')
  task.epoch, task.deliveries = task.epoch + 1, task.deliveries + 1
  task.holder, task.leaseEndsAt = asked.holder, now + leaseMs
  task.progress = nil
  move(task, { cause = 'claimed', now = now })
  taken[seq] = true
  return { rowOf(task), payload }, task.principal
end

-- What follows when a caller's last task was taken from a lane.
local function isEmptied(lane, principal)
  if readyOf(lane, principal) then return false end
  closeLanes()
  lane.sole = nil
  return call('EXISTS', lane.spot.callers) == 0
end

local function leaveOut(lanes, emptied)
  for n, lane in ipairs(lanes) do
    if lane == emptied then return table.remove(lanes, n) end
  end
end

local before = tonumber(call('HGET', counts, 'taken') or 0)
local lanes, claimed = servedLanes(), {}
while #claimed < limit and #lanes > 0 do
  local isAgedTurn = agingEvery and (before + #claimed + 1) % agingEvery == 0
  local pick = isAgedTurn and longestReady(lanes) or nextInTurn(lanes)
  local principal
  claimed[#claimed + 1], principal = take(pick.seq)
  if isEmptied(pick.lane, principal) then leaveOut(lanes, pick.lane) end
end
for priority, principal in pairs(served) do
  if principal then call('HSET', counts, 'turn:' .. priority, principal) end
end
if #claimed > 0 then call('HINCRBY', counts, 'taken', #claimed) end
return claimed
