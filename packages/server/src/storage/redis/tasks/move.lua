-- How a task changes its state: one door, through which indexes, counts, history and the turn of a
-- chain follow. Which moves there are is written once, in core: MOVES, ENDS and LEASED come from it.

local AFTER = remembered(function(from)
  return remembered(function(cause)
    local _, found = string.find(MOVES, '|' .. from .. ' ' .. cause .. '>', 1, true)
    return found and string.sub(MOVES, found + 1, string.find(MOVES, '|', found, true) - 1)
  end)
end)

-- Where a cause takes a task; nil where it may not happen.
local function stateAfter(from, cause)
  return AFTER[from][cause]
end

local function chainOf(task)
  return join(task.tenant, task.chain)
end

-- The place of a task in its chain. Its number may have more digits than cjson writes.
local function placeOf(task)
  return join(task.tenant, task.chain, string.format('%.0f', task.chainSeq or 0))
end

local function hasTurn(task)
  if task.state == 'dead' then return task.onDead ~= 'skip' end
  return task.state ~= 'blocked' and not ENDS[task.state]
end

-- Where a task stands besides its lane: the index of its state, and the moment that it waits for.
local function momentOf(task)
  local state = task.state
  if LEASED[state] then return INDEX.leased, task.leaseEndsAt end
  if state == 'waiting' then return INDEX.due, task.dueAt end
  if state == 'blocked' then return P .. 'blocked:' .. chainOf(task), task.chainSeq or 0 end
  if state == 'dead' then return INDEX.died, task.updatedAt end
  return INDEX.ended, task.endedAt
end

-- Puts a task where its state says.
local function enter(task)
  local seq, hasEnded = task.seq, ENDS[task.state]
  put(STATES[task.tenant][task.state], seq, seq)
  if hasEnded or task.state == 'dead' then
    if task.deadlineAt then drop(INDEX.deadlines, seq) end
  elseif task.deadlineAt then
    put(INDEX.deadlines, task.deadlineAt, seq)
  end
  if not hasEnded then recount(task, 1) end
  if task.state == 'queued' then return joinLane(task) end
  local index, at = momentOf(task)
  put(index, at, seq)
end

local function leave(task)
  drop(STATES[task.tenant][task.state], task.seq)
  if not ENDS[task.state] then recount(task, -1) end
  if task.state == 'queued' then return leaveLane(task) end
  local index = momentOf(task)
  drop(index, task.seq)
end

local move

-- Gives the turn of a chain to the first of those that are blocked, if there is one.
local function passTurn(task, now)
  local first = call('ZRANGE', P .. 'blocked:' .. chainOf(task), 0, 0)[1]
  if not first then return nil end
  local following = taskAt(first)
  local isLater = following.dueAt and following.dueAt > now
  if not isLater then following.readyAt = now end
  move(following, { cause = isLater and 'delayed' or 'unblocked', now = now })
  return following
end

-- Saves whatever else the caller changed in the task, too, and other fields of it. Answers the chain's
-- next task if the turn passed on to it.
function move(task, why, ...)
  local from = task.state
  local to = stateAfter(from, why.cause)
  if not to then error('task ' .. task.taskId .. ' is ' .. from .. ': not to be ' .. why.cause) end
  local hadTurn = hasTurn(task)
  leave(task)
  task.state, task.cause, task.reason = to, why.cause, why.reason
  task.version, task.updatedAt = task.version + 1, why.now
  if not LEASED[to] then task.leaseEndsAt = nil end
  if to ~= 'waiting' and to ~= 'blocked' then task.dueAt = nil end
  if ENDS[to] then task.endedAt = why.now end
  enter(task)
  saveWith({ from = from, cause = why.cause, by = why.by, reason = why.reason }, task, ...)
  if ENDS[to] then leaveQueue(task) end
  if not task.chain or hadTurn == hasTurn(task) then return nil end
  if not hadTurn then
    call('SET', P .. 'turn:' .. chainOf(task), task.seq)
    return nil
  end
  call('DEL', P .. 'turn:' .. chainOf(task))
  -- Whoever was overtaken gave its turn to one that the caller knows.
  if to == 'blocked' then return nil end
  return passTurn(task, why.now)
end

local function turnOf(tenant, chain)
  local seq = call('GET', P .. 'turn:' .. join(tenant, chain))
  return seq and taskAt(seq)
end

-- Whether one that goes before the holder of a turn takes it from him: nobody can have begun, and
-- nobody who once held it can still speak for it.
local function overtakes(task, holder)
  if holder.state ~= 'queued' and holder.state ~= 'waiting' then return false end
  if holder.deliveries > 0 or holder.attempts > 0 then return false end
  local own, his = task.chainSeq or 0, holder.chainSeq or 0
  return own < his or (own == his and task.seq < holder.seq)
end

-- Whether one that comes to a chain stands behind the task that has the turn. If it does not, the
-- turn, if anybody has it, is taken away for it.
local function standsBehind(task, now)
  local holder = task.chain and turnOf(task.tenant, task.chain)
  if not holder then return false end
  if not overtakes(task, holder) then return true end
  holder.readyAt = nil
  move(holder, { cause = 'overtaken', now = now })
  return false
end

-- Of tasks that got their turn in the course of a script, those that have it at its end.
local function stillReady(tasks)
  local ready = {}
  for _, task in ipairs(tasks) do
    local present = taskAt(task.seq)
    if present.state == 'queued' or present.state == 'waiting' then ready[#ready + 1] = present end
  end
  return ready
end
