#!lua flags=allow-oom
-- Puts tasks that nobody holds into another queue, at most 100.
local now = moment(text())
local targets = {}
for n = 1, number() do targets[n] = record() end

local function isThere(task, target)
  return task.agentId == target.agentId and task.group == target.group
    and task.home == target.home and task.effect == target.effect
end

local function bind(task, target)
  leave(task)
  leaveQueue(task)
  task.agentId, task.group = target.agentId, target.group
  task.home, task.effect = target.home, target.effect
  task.queue = nil
  task.epoch, task.version = task.epoch + 1, task.version + 1
  task.holder, task.progress, task.updatedAt = nil, nil, now
  enter(task)
  joinQueue(task)
  saveWith({ from = task.state, cause = 'bound', agentId = task.agentId }, task)
end

local moved = {}
for _, target in ipairs(targets) do
  local task = findTask(target.tenant, target.taskId)
  if task and not ENDS[task.state] and not LEASED[task.state] and not isThere(task, target) then
    bind(task, target)
    moved[#moved + 1] = rowOf(task)
  end
end
return moved
