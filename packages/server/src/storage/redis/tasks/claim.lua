#!lua flags=allow-oom
-- Leases queued tasks, one after the other. Where to look is decided among the queue's lanes, which
-- are few; who is next there is one descent of a sorted set. So a claim costs by what it takes,
-- whatever the queue holds.
local asked = record()
local groups, taskTypes, homes = set(), set(), set()
local now = moment(asked.now)
local limit, leaseMs = tonumber(asked.limit), tonumber(asked.leaseMs)
local agingMs, agingEvery = tonumber(asked.agingMs), tonumber(asked.agingEvery)
local queue = join(asked.tenant, asked.agentId)
local counts = P .. 'queue:' .. queue

local function isServed(lane)
  if lane.group ~= '' and groups and not groups[lane.group] then return false end
  if taskTypes and not taskTypes[lane.taskType] then return false end
  return lane.home == '' or (homes ~= nil and homes[lane.home] == true)
end

-- Those with a task that may be claimed, the most urgent first.
local function servedLanes()
  local lanes = {}
  for _, lane in ipairs(call('ZREVRANGE', P .. 'lanes:' .. queue, 0, -1)) do
    local priority, group, taskType, home = unpack(cjson.decode(lane))
    local served = { priority = priority, group = group, taskType = taskType, home = home }
    served.spot = queue .. lane
    if isServed(served) then lanes[#lanes + 1] = served end
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

-- The next caller of a lane and his oldest task: the first after the one served last, or else the
-- first of all, in a new round.
local function nextOf(lane, last)
  local callers, round = P .. 'callers:' .. lane.spot, 0
  local found = {}
  if last then found = call('ZRANGEBYLEX', callers, '(' .. last, '+', 'LIMIT', 0, 1) end
  if #found == 0 then
    round = 1
    found = call('ZRANGE', callers, 0, 0)
  end
  local seq = call('ZRANGE', P .. 'ready:' .. lane.spot .. found[1], 0, 0)[1]
  return { lane = lane, round = round, principal = found[1], seq = seq }
end

local function goesBefore(a, b)
  if a.round ~= b.round then return a.round < b.round end
  if a.principal == b.principal then return tonumber(a.seq) < tonumber(b.seq) end
  return isBefore(a.principal, b.principal)
end

local function nextInTurn(lanes)
  local priority, following = lanes[1].priority, nil
  local turn = 'turn:' .. priority
  local last = call('HGET', counts, turn)
  for _, lane in ipairs(lanes) do
    if lane.priority ~= priority then break end
    local found = nextOf(lane, last)
    if not following or goesBefore(found, following) then following = found end
  end
  call('HSET', counts, turn, following.principal)
  return following
end

-- Of the tasks that have waited too long for their priority, the one that was ready first.
local function longestReady(lanes)
  if lanes[1].priority == 10 then return nil end
  local first
  for _, lane in ipairs(lanes) do
    local seq, score = unpack(call('ZRANGE', P .. 'age:' .. lane.spot, 0, 0, 'WITHSCORES'))
    local found = { lane = lane, seq = seq, readyAt = tonumber(score) }
    local isAged = now - found.readyAt > agingMs * (10 - lane.priority)
    local isFirst = not first or found.readyAt < first.readyAt
      or (found.readyAt == first.readyAt and tonumber(seq) < tonumber(first.seq))
    if isAged and isFirst then first = found end
  end
  return first
end

local function take(seq)
  local task = taskAt(seq)
  task.epoch, task.deliveries = task.epoch + 1, task.deliveries + 1
  task.holder, task.leaseEndsAt = asked.holder, now + leaseMs
  task.progress = nil
  move(task, { cause = 'claimed', now = now })
  return { rowOf(task), call('HGET', keyOf('task', task), 'payload') }
end

local function leaveOut(lanes, emptied)
  for n, lane in ipairs(lanes) do
    if lane == emptied then return table.remove(lanes, n) end
  end
end

local taken = tonumber(call('HGET', counts, 'taken') or 0)
local lanes, claimed = servedLanes(), {}
while #claimed < limit and #lanes > 0 do
  local isAgedTurn = agingEvery and (taken + #claimed + 1) % agingEvery == 0
  local pick = isAgedTurn and longestReady(lanes) or nextInTurn(lanes)
  claimed[#claimed + 1] = take(pick.seq)
  if call('EXISTS', P .. 'age:' .. pick.lane.spot) == 0 then leaveOut(lanes, pick.lane) end
end
if #claimed > 0 then call('HINCRBY', counts, 'taken', #claimed) end
return claimed
